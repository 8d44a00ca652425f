/**
 * Who may import whom: the table of the architecture, one row a folder. What is not named here is refused.
 * `any`: every file; `face`: schema.ts, ports.ts, index.ts, model.ts, *.op.ts; `types`: a face without ops;
 * `schema`: schema.ts alone; `readonly`: a file or folder of that name; `deferred`: any file, by dynamic import only.
 */
export type Reach = 'any' | 'face' | 'types' | 'schema' | 'readonly' | 'deferred';

export interface Row {
  readonly imports: Readonly<Record<string, Reach>>;
  /** `all`: every one that an installation brings. */
  readonly packages: 'all' | readonly string[];
  /** `node:` modules: every one, or those listed. */
  readonly node: 'all' | readonly string[];
}

export const DOMAINS = [
  'auth',
  'search',
  'security',
  'pages',
  'events',
  'sessions',
  'chat',
  'backends',
  'packs',
  'rules',
  'admin',
] as const;

const faces = (...folders: readonly string[]): Record<string, Reach> => ({
  kernel: 'any',
  ...Object.fromEntries(folders.map(folder => [folder, 'face' as const])),
});
const everyDomain = (reach: Reach): Record<string, Reach> => ({
  kernel: 'any',
  ...Object.fromEntries(DOMAINS.map(folder => [folder, reach])),
});
const domain = (imports: Record<string, Reach>, packages: readonly string[] = []): Row => ({
  imports,
  packages: ['zod', ...packages],
  node: [],
});
const adapter = (packages: readonly string[]): Row => ({
  imports: { ...everyDomain('types'), 'storage/threads': 'types' },
  packages,
  node: 'all',
});

export const STORAGE = [
  'storage/sqlite',
  'storage/postgres',
  'storage/lanes',
  'storage/duckdb',
  'storage/models',
] as const;

export const TABLE: Readonly<Record<string, Row>> = {
  kernel: { imports: {}, packages: ['zod', 'pino', 'ulid', 'smol-toml'], node: ['node:crypto'] },
  auth: domain(faces(), ['jose']),
  // A lane filters by the caller's read scope, which is data declared by auth.
  search: domain({ kernel: 'any', auth: 'schema' }, ['@orama/stemmers', '@zxcvbn-ts/language-de']),
  security: domain(faces()),
  pages: domain(faces('auth', 'search', 'security'), ['js-yaml', 'loro-crdt']),
  events: domain(faces('auth', 'search', 'pages')),
  sessions: domain(faces('auth', 'search', 'pages')),
  chat: domain(faces('auth', 'search', 'pages')),
  backends: domain(faces('auth', 'search', 'pages')),
  packs: domain(faces('auth', 'search', 'pages')),
  rules: domain(faces('auth', 'search', 'security', 'pages', 'events')),
  admin: domain(everyDomain('face')),
  // Asks threads for adapters; it knows none of them and no driver.
  'storage/threads': { imports: {}, packages: [], node: ['node:worker_threads'] },
  'storage/sqlite': adapter(['better-sqlite3']),
  'storage/postgres': adapter([]),
  'storage/lanes': adapter([]),
  'storage/duckdb': adapter([]),
  // Their code is loaded by the thread of a model, on request; here only their types are.
  'storage/models': adapter(['zod', 'onnxruntime-node', '@huggingface/tokenizers']),
  http: {
    imports: { kernel: 'any', auth: 'types', security: 'types' },
    packages: ['hono', '@hono/node-server', 'zod', 'prom-client'],
    node: 'all',
  },
  maintain: {
    imports: { ...everyDomain('types'), ...Object.fromEntries(STORAGE.map(folder => [folder, 'readonly' as const])) },
    packages: ['zod'],
    node: 'all',
  },
  cli: {
    imports: { ...everyDomain('types'), maintain: 'any', app: 'deferred' },
    packages: ['commander', 'zod'],
    node: 'all',
  },
  app: {
    imports: {
      ...everyDomain('face'),
      ...Object.fromEntries([...STORAGE, 'http', 'maintain'].map(folder => [folder, 'any' as const])),
    },
    packages: 'all',
    node: 'all',
  },
};

/** The row's name of a file below src: the first folder, or the first two below storage. */
export const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('storage/') ? 2 : 1)
    .join('/');

const TYPES = /(^|\/)(schema|ports|index|model)\.ts$/;

/** Whether `file`, below its folder, is what `reach` opens. */
export function opens(reach: Reach, file: string): boolean {
  if (reach === 'schema') return /(^|\/)schema\.ts$/.test(file);
  if (reach === 'readonly') return /(^|\/)readonly(\.ts$|\/)/.test(file);
  if (reach === 'types') return TYPES.test(file);
  if (reach === 'face') return TYPES.test(file) || file.endsWith('.op.ts');
  return true;
}
