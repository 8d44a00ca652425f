import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startChild } from '../storage/child.ts';
import { tempFolder } from '../storage/world.ts';
import { Disk, type Keep } from './disk.ts';
import { fileEvents, STRACE, type FileEvent } from './trace.ts';
import { acknowledged, lookAfterCrash } from './verify.ts';
import type { Run } from './writers.child.ts';

const WRITERS = 8;
const missing = spawnSync('strace', ['-V']).error;
if (missing) process.stdout.write(`power loss is not tested: ${missing.message}\n`);

/** Three starts of the writers on one folder, the last one killed: what they did to its files, and their acknowledgements. */
async function record(folder: string): Promise<FileEvent[]> {
  const root = join(folder, 'disk');
  mkdirSync(root);
  const events: FileEvent[] = [];
  for (const [commits, killAt] of [
    [8, null],
    [20, null],
    [20, { step: 'acknowledge', occurrence: 15 }],
  ] as const) {
    const run: Run = {
      dataDir: join(root, 'data'),
      acknowledgements: join(folder, 'acknowledgements'),
      writers: WRITERS,
      commits,
      killAt,
      checkpointEvery: 3,
    };
    const trace = join(folder, 'trace');
    const child = startChild('crash/writers.child.ts', [JSON.stringify(run)], ['strace', ...STRACE, '-o', trace]);
    expect(await child.ended()).toBe(killAt ? 'SIGKILL' : 0);
    events.push(...fileEvents(readFileSync(trace, 'latin1'), root));
  }
  return events;
}

/** Numbers in [0, 1), the same ones for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

const nothing: Keep = () => false;
const some = (seed: number): Keep => {
  const random = seeded(seed);
  // How much survives differs from cut to cut.
  const share = random();
  return () => random() < share;
};

test.skipIf(missing !== undefined)('[DS81] the power fails at any sync of a run', { timeout: 1_200_000 }, async () => {
  const folder = realpathSync(tempFolder());
  const root = join(folder, 'disk');
  const events = await record(folder);
  const cuts = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cairn-cuts-'));
  const disk = new Disk(root);
  let acks = '';
  let looks = 0;
  const faults: string[] = [];

  async function cut(name: string, keep: Keep): Promise<void> {
    const target = join(cuts, String(looks++));
    mkdirSync(target);
    disk.cut(target, keep);
    const look = await lookAfterCrash(join(target, 'data'), acknowledged(acks), WRITERS, /^index (is|has|belongs)/);
    faults.push(...look.faults.map(fault => `${name}: ${fault}`));
    rmSync(target, { recursive: true, force: true });
  }

  for (const [at, event] of events.entries()) {
    if (event.kind === 'write' && event.path === join(folder, 'acknowledgements')) acks += event.data.toString('utf8');
    if (event.kind === 'sync-end') {
      await cut(`event ${at}, unsynced writes lost`, nothing);
      await cut(`event ${at}, some unsynced writes there`, some(at));
    }
    disk.apply(event);
    expect(faults).toEqual([]);
  }
  await cut('at the end, unsynced writes lost', nothing);
  await cut('at the end, all there', () => true);
  expect(faults).toEqual([]);
  expect(looks).toBeGreaterThan(200);
  expect(acks.split('\n').length).toBeGreaterThan(100);
  rmSync(cuts, { recursive: true });
  rmSync(folder, { recursive: true });
});
