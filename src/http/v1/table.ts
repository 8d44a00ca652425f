/** One route of `/v1` and the op behind it. */
export interface V1Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly op: string;
  /** Names that the query may have, where they are not those of the op's input. */
  readonly query?: readonly string[];
  /** A post: the key of the input that the id in the path is. */
  readonly into?: string;
  /** A get: puts the id of the path into the input. */
  readonly place?: (id: string, query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Largest body, in bytes. */
  readonly maxBodyBytes?: number;
}

/** Sources are sent whole. */
const SOURCE_BYTES = 10 * 1024 * 1024;

/** The routes of the rules surface for programs (rules-gaps 2); those that decide are people's and stand elsewhere. */
export const V1_ROUTES: readonly V1Route[] = [
  { method: 'get', path: '/v1/status', op: 'status' },
  { method: 'post', path: '/v1/search', op: 'search_rules' },
  { method: 'post', path: '/v1/search/:id/feedback', op: 'feedback', into: 'search_id' },
  { method: 'get', path: '/v1/rules', op: 'list_rules' },
  {
    method: 'get',
    path: '/v1/rules/:id',
    op: 'read_rule',
    query: ['version', 'as_of'],
    place: (id, { version, ...query }) => ({
      ...query,
      ref: `rule/${id}${version === undefined ? '' : `@${String(version)}`}`,
    }),
  },
  {
    method: 'get',
    path: '/v1/rules/:id/provenance',
    op: 'provenance',
    query: [],
    place: id => ({ ref: `rule/${id}` }),
  },
  { method: 'post', path: '/v1/proposals', op: 'propose_rule' },
  { method: 'get', path: '/v1/proposals', op: 'list_proposals' },
  { method: 'post', path: '/v1/sources', op: 'store_source', maxBodyBytes: SOURCE_BYTES },
  {
    method: 'get',
    path: '/v1/sources/:id',
    op: 'read_source',
    query: ['scope', 'include'],
    place: (id, query) => ({ ...query, id }),
  },
];
