import type { ServerFields } from './server-fields.ts';

const INSTANT = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d{2}:\\d{2})';
const VERSION = 'v\\d{1,9}';
const HASH = '[0-9a-f]{64}';
const CODE = '[a-z]{1,20}(?:[_-][a-z]{1,20}){0,5}';

/** Shapes of what the server itself says in results about pages. None has room for a sentence or a frame. */
const SHAPES: Readonly<Record<string, string>> = {
  anchor: 'blk-[0-9a-f]{8}',
  page_type: '(?:skill|instance)',
  version: VERSION,
  as_of_version: VERSION,
  new_version: VERSION,
  content_sha256: HASH,
  part_sha256: HASH,
  sha256: HASH,
  at: INSTANT,
  committed_at: INSTANT,
  severity: '(?:error|warning|info)',
  code: CODE,
  origin: CODE,
};

const shapes = new Map(Object.entries(SHAPES).map(([key, shape]) => [key, new RegExp(`^${shape}$`)]));

/** `keys`: names that the output schema of the op declares; keys of headers and all others are foreign. */
export const pageFields = (keys: ReadonlySet<string>): ServerFields => ({
  isKnownKey: key => keys.has(key),
  isServerText: (key, value) => keys.has(key) && (shapes.get(key)?.test(value) ?? false),
});
