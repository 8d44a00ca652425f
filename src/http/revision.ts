import { Failure } from '../kernel/failure.ts';
import { isObject } from '../kernel/json.ts';
import type { RpcRequest } from './json-rpc.ts';

/** The revisions that begin with `initialize`, newest first. */
export const HANDSHAKE_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
/** The revisions without a handshake: every request names its revision and is complete in itself. */
export const STATELESS_REVISIONS = ['2026-07-28'] as const;

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** The headers that say again what the body says, as received. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** How one message is answered. `revision` is undefined when a handshake client did not name it. */
export type Era =
  | { readonly kind: 'handshake'; readonly revision: string | undefined }
  | { readonly kind: 'stateless'; readonly revision: string };

/** The era of a request, or why it fits none; each refusal goes out under its HTTP status. */
export function eraOf(request: RpcRequest, headers: McpHeaders): Era | Failure {
  try {
    return classified(request, headers);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
}

/** The refusal of a version header that names no revision of ours; none is a client of the handshake era (M11). */
export const unknownRevision = (version: string | undefined): Failure | undefined =>
  version === undefined || isStateless(version) || isHandshake(version)
    ? undefined
    : unsupported(version, [...STATELESS_REVISIONS, ...HANDSHAKE_REVISIONS]);

/**
 * Goes by the body and holds the headers against it. Refuses with `invalid_params` (keys missing), `header_mismatch` or
 * `unsupported_protocol_version`. `initialize` ignores the header: versions are negotiated, never refused (M10).
 */
function classified(request: RpcRequest, headers: McpHeaders): Era {
  const meta = isObject(request.params['_meta']) ? request.params['_meta'] : undefined;
  const claimed = meta !== undefined && VERSION_KEY in meta;
  if (request.method === 'initialize' && !(claimed && isStateless(meta[VERSION_KEY])))
    return { kind: 'handshake', revision: undefined };
  if (claimed) return statelessEra(request, meta, headers);
  const { version } = headers;
  if (version === undefined && request.method !== 'server/discover') return { kind: 'handshake', revision: undefined };
  if (version === undefined || isStateless(version)) throw missing(keysMissing(meta));
  const unknown = unknownRevision(version);
  if (unknown) throw unknown;
  return { kind: 'handshake', revision: version };
}

/** What `initialize` agrees on: the version asked for, else our newest that has a handshake (E002, E003, M10). */
export function negotiated(asked: unknown): string {
  if (asked === undefined || asked === null || asked === '') return '2025-06-18';
  if (typeof asked !== 'string')
    throw new Failure('invalid_params', 'initialize: protocolVersion: expected a string', { place: 'protocolVersion' });
  return isHandshake(asked) ? asked : HANDSHAKE_REVISIONS[0];
}

const isHandshake = (version: string): boolean => (HANDSHAKE_REVISIONS as readonly string[]).includes(version);
const isStateless = (version: unknown): boolean => (STATELESS_REVISIONS as readonly unknown[]).includes(version);

function statelessEra(request: RpcRequest, meta: Record<string, unknown>, headers: McpHeaders): Era {
  const revision = meta[VERSION_KEY];
  const absent = keysMissing(meta);
  if (absent.length > 0) throw missing(absent);
  if (typeof revision !== 'string') throw malformed(VERSION_KEY, 'expected a string');
  if (!isObject(meta[CAPABILITIES_KEY])) throw malformed(CAPABILITIES_KEY, 'expected an object');
  const client = meta[CLIENT_KEY];
  if (client !== undefined && !(isObject(client) && typeof client['name'] === 'string'))
    throw malformed(CLIENT_KEY, 'expected an object with a name');
  if (headers.version !== undefined && headers.version !== revision)
    throw mismatch('MCP-Protocol-Version', headers.version, revision);
  if (!isStateless(revision)) throw unsupported(revision, STATELESS_REVISIONS);
  if (headers.version === undefined) throw mismatch('MCP-Protocol-Version', undefined, revision);
  if (headers.method !== request.method) throw mismatch('Mcp-Method', headers.method, request.method);
  const { name } = request.params;
  if (request.method === 'tools/call' && typeof name === 'string' && decoded(headers.name) !== name)
    throw mismatch('Mcp-Name', headers.name, name);
  return { kind: 'stateless', revision };
}

const keysMissing = (meta: Record<string, unknown> | undefined): string[] =>
  meta === undefined ? ['_meta'] : [VERSION_KEY, CAPABILITIES_KEY].filter(key => !(key in meta));

const missing = (keys: readonly string[]): Failure =>
  new Failure('invalid_params', `the request lacks ${keys.join(', ')}, needed by MCP ${STATELESS_REVISIONS[0]}`, {
    missing: keys,
  });

const malformed = (key: string, why: string): Failure =>
  new Failure('invalid_params', `_meta: ${key}: ${why}`, { place: `_meta.${key}` });

const unsupported = (requested: string, supported: readonly string[]): Failure =>
  new Failure('unsupported_protocol_version', 'unsupported protocol version', { supported, requested });

const mismatch = (header: string, sent: string | undefined, body: string): Failure =>
  new Failure(
    'header_mismatch',
    `the header ${header} ${sent === undefined ? 'is missing' : 'differs from the body'}`,
    {
      mismatch: { header, sent: sent ?? null, body },
    },
  );

const WRAPPED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** A header value, unwrapped where it came as base64. */
function decoded(value: string | undefined): string | undefined {
  const wrapped = value === undefined ? null : WRAPPED.exec(value);
  if (!wrapped) return value;
  const bytes = Buffer.from(wrapped[1]!, 'base64');
  return bytes.toString('base64') === wrapped[1] ? bytes.toString('utf8') : undefined;
}
