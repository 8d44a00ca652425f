import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RulesServer } from './rules-story.ts';

export interface DevServer extends RulesServer {
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Starts `cairn dev` on a data folder, in a process of its own, on a free port. */
export async function startDev(dataDir: string): Promise<DevServer> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, 'dev', '--data-dir', dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // What the stories try in vain is refused with a warning each.
    env: { ...process.env, CAIRN_LOG_LEVEL: 'error' },
  });
  const url = await addressIn(child.stdout, once(child, 'exit'));
  const tokens = JSON.parse(readFileSync(join(dataDir, 'dev-tokens.json'), 'utf8')) as Record<string, string>;
  const { mcp, api, approval } = tokens as { mcp: string; api: string; approval: string };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url, token: mcp, api, approval, stop };
}

async function addressIn(output: NodeJS.ReadableStream, exit: Promise<unknown>): Promise<string> {
  const ended = exit.then(() => {
    throw new Error('the server ended before it was ready');
  });
  let text = '';
  output.setEncoding('utf8');
  for (;;) {
    const [chunk] = (await Promise.race([once(output, 'data'), ended])) as [string];
    text += chunk;
    const found = /MCP address\s+(\S+)\/mcp\s/.exec(text);
    if (found) {
      ended.catch(() => {});
      return found[1]!;
    }
  }
}
