import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from '../kernel/ids.ts';
import { isObject } from '../kernel/json.ts';
import { withDefault, withFlag } from './settings.ts';

export interface DevTokens {
  /** Bearer of an agent. */
  readonly mcp: string;
  /** Bearer of the admin. */
  readonly admin: string;
}

const FILE = 'dev-tokens.json';

/** The tokens of a data folder: made once, kept in a file that only its owner reads. */
export function devTokens(dataDir: string): DevTokens {
  const path = join(dataDir, FILE);
  const kept = readTokens(path);
  if (kept) return kept;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const made = { mcp: randomToken(), admin: randomToken() };
  writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return made;
}

/** Undefined when there is no file or it does not hold tokens: then new ones are made. */
function readTokens(path: string): DevTokens | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(kept) && typeof kept['mcp'] === 'string' && typeof kept['admin'] === 'string') {
      return { mcp: kept['mcp'], admin: kept['admin'] };
    }
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (!(thrown instanceof SyntaxError) && code !== 'ENOENT') throw thrown;
  }
  return undefined;
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
    ['observability.log_level', 'warn'],
  ] as const;
  const filled = defaults.reduce<NodeJS.ProcessEnv>((known, [key, value]) => withDefault(known, key, value), env);
  const placed = withFlag(filled, 'server.data_dir', own.dataDir);
  return own.port === undefined ? placed : withFlag(placed, 'server.port', String(own.port));
}
