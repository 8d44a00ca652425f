import { aclOf } from '../auth/index.ts';
import { isObject } from '../kernel/json.ts';
import type { IndexedPage } from './ports.ts';

export const AUTONOMY = ['auto', 'review', 'confirm'] as const;
export type Autonomy = (typeof AUTONOMY)[number];
export type ParamKind = 'string' | 'integer' | 'boolean';

export interface SkillParam {
  readonly name: string;
  readonly kind: ParamKind;
  readonly required: boolean;
  readonly label?: string;
  readonly description?: string;
}

/** What a skill page declares (E160-E181). */
export interface Skill {
  readonly page: IndexedPage;
  readonly id: string;
  readonly description: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly access: ReturnType<typeof aclOf>;
  readonly backend: string;
  readonly layer: string;
  /** Null when undeclared or unrecognised: the two are told apart by validate only (E170). */
  readonly autonomy: Autonomy | null;
  readonly params: readonly SkillParam[];
}

/** A skill page whose header cannot be read closes its instances: what it ruled is not known (F07). */
export function skillOf(page: IndexedPage, unreadable: boolean): Skill {
  const header = page.frontmatter;
  return {
    page,
    id: page.slug ?? page.pageId,
    description: typeof header.description === 'string' ? header.description : '',
    required: strings(header.required_frontmatter),
    optional: strings(header.optional_frontmatter),
    access: unreadable ? { ...aclOf({}), acl: 'closed' } : aclOf(header),
    backend: backendOf(header.backend),
    layer: typeof header.layer === 'string' ? header.layer : 'overlay',
    autonomy: autonomyOf(header.autonomy),
    params: paramsOf(header.params),
  };
}

/** Strings of a list; anything that is no list is empty (E163). */
function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

const BACKENDS: ReadonlySet<string> = new Set(['markdown', 'workflow', 'sql_view', 'document', 'openapi', 'mcp']);

function backendOf(value: unknown): string {
  const kind = isObject(value) ? value.kind : undefined;
  return typeof kind === 'string' && BACKENDS.has(kind) ? kind : 'markdown';
}

/** Case and outer spaces do not count (E169). */
export function autonomyOf(value: unknown): Autonomy | null {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return AUTONOMY.find(known => known === word) ?? null;
}

const KINDS: ReadonlyMap<string, ParamKind> = new Map([
  ['string', 'string'],
  ['text', 'string'],
  ['str', 'string'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
]);

/** The kind as declared, null when it cannot be read (E174, E175). */
export function paramKind(declared: unknown): ParamKind | null {
  return typeof declared === 'string' ? (KINDS.get(declared.trim().toLowerCase()) ?? null) : null;
}

/** Parameter entries in author order, list or mapping form; null when the block is neither (E172, E173, E359). */
export function paramEntries(value: unknown): readonly (Record<string, unknown> & { name?: unknown })[] | null {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(entry => (isObject(entry) ? entry : {}));
  if (!isObject(value)) return null;
  return Object.entries(value).map(([name, attributes]) => ({ ...(isObject(attributes) ? attributes : {}), name }));
}

function paramsOf(value: unknown): SkillParam[] {
  return (paramEntries(value) ?? []).flatMap(entry => {
    if (typeof entry.name !== 'string' || entry.name === '') return [];
    return [
      {
        name: entry.name,
        kind: paramKind(entry.kind ?? entry.type) ?? 'string',
        required: entry.required === true,
        ...(typeof entry.label === 'string' ? { label: entry.label } : {}),
        ...(typeof entry.description === 'string' ? { description: entry.description } : {}),
      },
    ];
  });
}
