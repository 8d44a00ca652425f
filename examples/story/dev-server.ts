import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StoryServer } from './story.ts';

export interface DevServer extends Omit<StoryServer, 'restart'> {
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Starts `cairn dev` on a data folder, in a process of its own, on a free port. */
export async function startDev(dataDir: string): Promise<DevServer> {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, 'dev', '--data-dir', dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressIn(child.stdout, once(child, 'exit'));
  const { mcp } = JSON.parse(readFileSync(join(dataDir, 'dev-tokens.json'), 'utf8')) as { mcp: string };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return {
    url,
    token: mcp,
    stop,
  };
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
