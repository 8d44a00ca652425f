import { edgesOf } from '../../../pages/index.ts';
import type { PageLink } from '../../../pages/model.ts';
import type { Db } from '../database.ts';
import type { PastEdge } from './past.ts';

export interface LinkWriter {
  /** Makes the edges of a page these ones, and answers both where they changed. Links without an id are no edges (E117). */
  write(pageNo: number, links: readonly PageLink[], isNew: boolean): LinkChange | undefined;
  /** Answers the edges that the page had. */
  remove(pageNo: number): readonly PastEdge[];
}

export interface LinkChange {
  readonly before: readonly PastEdge[];
  readonly now: readonly PastEdge[];
}

interface Edge {
  src_anchor: string | null;
  src_field: string | null;
  link_skill: string;
  target: string;
  dst_anchor: string | null;
  link_version: string | null;
}

export function linkWriter(db: Db): LinkWriter {
  const select = db.prepare<[number], Edge>(
    `SELECT src_anchor, src_field, link_skill, target, dst_anchor, link_version
     FROM link WHERE page_no = ? ORDER BY ord`,
  );
  const insert = db.prepare<
    [number, number, string | null, string | null, string, string, string | null, string | null]
  >(
    `INSERT INTO link (page_no, ord, src_anchor, src_field, link_skill, target, dst_anchor, link_version)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const drop = db.prepare<[number]>('DELETE FROM link WHERE page_no = ?');

  return {
    write(pageNo, links, isNew) {
      const now = edgesOf(links);
      const edges = now.map(columnsOf);
      const before = isNew ? [] : select.all(pageNo);
      if (!isNew) {
        if (JSON.stringify(before) === JSON.stringify(edges)) return undefined;
        drop.run(pageNo);
      }
      for (const [ord, edge] of edges.entries()) {
        insert.run(
          pageNo,
          ord,
          edge.src_anchor,
          edge.src_field,
          edge.link_skill,
          edge.target,
          edge.dst_anchor,
          edge.link_version,
        );
      }
      return { before: before.map(pastEdge), now };
    },
    remove(pageNo) {
      const before = select.all(pageNo);
      drop.run(pageNo);
      return before.map(pastEdge);
    },
  };
}

const pastEdge = ({ target, link_skill }: Edge): PastEdge => ({ target, linkSkill: link_skill });

const columnsOf = (edge: ReturnType<typeof edgesOf>[number]): Edge => ({
  src_anchor: edge.srcAnchor,
  src_field: edge.srcField,
  link_skill: edge.linkSkill,
  target: edge.target,
  dst_anchor: edge.dstAnchor,
  link_version: edge.linkVersion,
});
