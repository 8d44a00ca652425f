import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../storage/child.ts';
import { tempFolder } from '../storage/world.ts';
import { acknowledged, lookAfterCrash } from './verify.ts';
import type { Run } from './writers.child.ts';

/** How long after which moment of a run it is ended: the store is open, or the first write was acknowledged. */
export interface Kill {
  readonly from: 'open' | 'acknowledged';
  readonly ms: number;
}

/** Any moment of the first `ms`; every other run gets as far as an answer, however slow the machine is. */
export const randomKill = (run: number, ms: number): Kill => ({
  from: run % 2 === 0 ? 'open' : 'acknowledged',
  ms: Math.random() * ms,
});

export interface CrashRuns {
  /** One run in a process of its own, then a look at what it left. Resolves to how the process ended and what is wrong. */
  run(
    plan: Pick<Run, 'writers' | 'commits' | 'killAt'>,
    kill?: Kill,
  ): Promise<{ end: string; faults: readonly string[] }>;
  /** Lines of acknowledgement so far. */
  count(): number;
  remove(): void;
}

/** Runs that go on in one folder, each on what the one before left. */
export function crashRuns(): CrashRuns {
  const folder = tempFolder();
  const dataDir = join(folder, 'data');
  const acknowledgements = join(folder, 'acknowledgements');
  const read = (): string => (existsSync(acknowledgements) ? readFileSync(acknowledgements, 'utf8') : '');
  /** What must be there: acknowledged, or seen at the last look. */
  let known: ReadonlyMap<string, number> = new Map();

  return {
    async run(plan, kill) {
      const run: Run = { dataDir, acknowledgements, ...plan };
      const child = startChild('crash/writers.child.ts', [JSON.stringify(run)]);
      if (kill) {
        await Promise.race([child.line(kill.from).then(() => sleep(kill.ms)), child.ended()]);
        child.process.kill('SIGKILL');
      }
      const end = String(await child.ended());
      const due = new Map(known);
      for (const [pageId, version] of acknowledged(read())) due.set(pageId, Math.max(version, due.get(pageId) ?? 0));
      const { faults, heads } = await lookAfterCrash(dataDir, due, plan.writers);
      known = heads;
      return { end, faults };
    },
    count: () => read().split('\n').length - 1,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
