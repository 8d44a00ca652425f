import type { InspectedTable } from './ports.ts';

interface Column {
  readonly name: string;
  readonly type: 'VARCHAR' | 'BIGINT' | 'TIMESTAMP' | 'JSON';
}

const text = (...names: readonly string[]): Column[] => names.map(name => ({ name, type: 'VARCHAR' }));
const time = (name: string): Column => ({ name, type: 'TIMESTAMP' });

/** The columns of each table in their order (E681-E683). Times are RFC 3339 in UTC, JSON is text (E686). */
export const COLUMNS: Readonly<Record<InspectedTable, readonly Column[]>> = {
  pages: [
    ...text('page_id', 'slug', 'skill', 'page_type'),
    { name: 'frontmatter', type: 'JSON' },
    ...text('body_hash'),
    time('at_ts'),
    ...text('last_written_by'),
    time('created_at'),
    time('updated_at'),
    ...text('scenario'),
  ],
  blocks: [
    { name: 'block_id', type: 'VARCHAR' },
    ...text('page_id', 'anchor'),
    { name: 'ordinal', type: 'BIGINT' },
    ...text('body', 'skill', 'page_type'),
    time('at_ts'),
    ...text('scenario', 'context'),
  ],
  links: text('src_page', 'src_anchor', 'src_field', 'dst_page', 'dst_anchor', 'link_skill', 'link_version'),
};
