// Runs `npm start` as the README says it, twice on one fresh data folder, and stops it as a terminal would.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from './run-server.ts';

const cwd = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'cairn-start-'));
const faults: string[] = [];

/** One start and one stop; remarks go to `faults`. */
async function round(
  name: string,
  command: readonly [string, ...string[]],
  ends: readonly (number | NodeJS.Signals)[],
): Promise<void> {
  const from = performance.now();
  const server = await startServer({ command, cwd, dataDir: join(scratch, 'data') });
  const ready = performance.now() - from;
  const printed = server.printed();
  for (const line of [`${server.address}/mcp`, 'Bearer '])
    if (!printed.includes(line)) faults.push(`${name}: ${line} is not printed`);
  const ended = await server.stop();
  if (!ends.includes(ended)) faults.push(`${name}: ended with ${ended}\n${server.printed()}`);
  process.stdout.write(`${name}: ready after ${Math.round(ready)} ms, ended with ${ended}\n`);
}

try {
  // npm hands on the signal and then ends by it itself, however well the server stopped.
  await round('npm start, first run', ['npm', 'start'], [0, 'SIGINT']);
  await round('cairn dev, second run', ['node', 'dist/cli/main.js', 'dev'], [0]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
