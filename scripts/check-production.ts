// Installs what a user of the built package gets, without development packages, into a fresh folder; weighs it and runs it.
import { spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startServer } from './run-server.ts';

const LIMIT_MIB = 150;
const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'cairn-production-'));
const folder = join(scratch, 'cairn');

/** Bytes that a folder takes on the disk, links not followed. */
function weigh(path: string): number {
  const sizes = readdirSync(path, { recursive: true, encoding: 'utf8' }).map(
    name => lstatSync(join(path, name)).blocks,
  );
  return sizes.reduce((sum, blocks) => sum + blocks * 512, 0);
}

/** Copies what the manifest publishes, and what an installation from the lock file needs. */
function copy(): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
  const needed = ['package.json', 'package-lock.json', '.npmrc', 'web/package.json', 'scripts/prepare.mjs'];
  for (const path of [...manifest.files, ...needed]) cpSync(join(root, path), join(folder, path), { recursive: true });
}

try {
  copy();
  const installed = spawnSync('npm', ['ci', '--omit=dev'], { cwd: folder, stdio: 'inherit' });
  if (installed.status !== 0) throw new Error(`npm ci --omit=dev ended with ${installed.status}`);
  const mib = weigh(folder) / 2 ** 20;
  process.stdout.write(`${mib.toFixed(1)} MiB installed, at most ${LIMIT_MIB}\n`);
  if (mib > LIMIT_MIB) throw new Error('too much is installed');
  const server = await startServer({
    command: ['node', 'dist/cli/main.js', 'dev'],
    cwd: folder,
    dataDir: join(dirname(folder), 'data'),
  });
  const ended = await server.stop();
  if (ended !== 0) throw new Error(`the server ended with ${ended}:\n${server.printed()}`);
  process.stdout.write('it starts, answers and stops\n');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
