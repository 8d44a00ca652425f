import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../kernel/ids.ts';
import { isObject } from '../kernel/json.ts';
import { withDefault, withFlag } from './settings.ts';

/** Secrets of a local start, by what they are for. */
export interface DevTokens {
  /** Bearer of an agent. */
  readonly mcp: string;
  /** Bearer of the admin. */
  readonly admin: string;
  /** Bearer of programs on /v1. */
  readonly api: string;
  /** What a person signs in with on the approval pages. */
  readonly approval: string;
  /** Signs their sessions. */
  readonly session: string;
  /** Of whoever runs the instance, on the socket in the data folder. */
  readonly ops: string;
}

const FILE = 'dev-tokens.json';
const NAMES = ['mcp', 'admin', 'api', 'approval', 'session', 'ops'] as const satisfies readonly (keyof DevTokens)[];

/** The tokens of a data folder: each made once, kept in a file that only its owner reads. */
export function devTokens(dataDir: string): DevTokens {
  const path = join(dataDir, FILE);
  const kept = readTokens(path);
  if (NAMES.every(name => typeof kept[name] === 'string')) return kept as unknown as DevTokens;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const made = Object.fromEntries(
    NAMES.map(name => [name, typeof kept[name] === 'string' ? kept[name] : randomToken()]),
  );
  writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return made as unknown as DevTokens;
}

/** Nothing when there is no file or it cannot be understood: then new ones are made. */
function readTokens(path: string): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(kept) ? kept : {};
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (!(thrown instanceof SyntaxError) && code !== 'ENOENT') throw thrown;
    return {};
  }
}

/** The environment of a local start: what is not set, in any spelling, gets a value that works at once. */
export function devEnvironment(
  env: NodeJS.ProcessEnv,
  own: { readonly dataDir: string; readonly port?: number; readonly tokens: DevTokens },
): NodeJS.ProcessEnv {
  const defaults = [
    ['auth.mode', 'dev-token'],
    ['dev.identity', 'dev@localhost'],
    ['dev.mcp_token', own.tokens.mcp],
    ['dev.admin_token', own.tokens.admin],
    ['dev.api_token', own.tokens.api],
    ['dev.approval_token', own.tokens.approval],
    ['auth.session_secret', own.tokens.session],
    ['operator.token', own.tokens.ops],
    ['observability.log_level', 'warn'],
  ] as const;
  const filled = defaults.reduce<NodeJS.ProcessEnv>((known, [key, value]) => withDefault(known, key, value), env);
  const placed = withFlag(filled, 'server.data_dir', own.dataDir);
  return own.port === undefined ? placed : withFlag(placed, 'server.port', String(own.port));
}
