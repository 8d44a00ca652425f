import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { skillPage, world, type Caller, type World } from '../world.ts';
import { commands, plant } from './commands.ts';
import { Model } from './model.ts';
import { checkPast, checkReads, PEOPLE, skillId, type Course, type Name } from './wire.ts';

const RUNS = 8;

let w: World;
let callers: Record<Name, Caller>;
let time = Date.parse('2026-03-01T12:00:00Z');
let courses = 0;
beforeAll(async () => {
  w = await world({ CAIRN_WRITE_ACL: 'enforce' }, () => new Date(time));
  callers = { ann: await w.as({ sub: 'ann', groups: ['team'] }), bob: await w.as({ sub: 'bob' }), root: w.admin };
});
afterAll(() => w.end());

const everyone = ['public'];
const RULES = {
  open: { acl: { read: everyone, create: everyone, update: everyone } },
  own: { visibility: 'owner', owner_field: 'who' },
  team: { acl: { read: ['team'], create: ['team'], update: ['team'] } },
} as const;

/** Writes a file once all files are as the server left them, and waits until the server has taken it in. */
async function edit(id: string, text: string): Promise<void> {
  const versions = async (): Promise<number> =>
    (await w.admin.call('list_snapshots', { page_id: id })).snapshots.length;
  const before = await versions();
  await w.settled();
  const file = join(w.dataDir, id);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  await vi.waitUntil(async () => (await versions()) > before, { timeout: 60_000, interval: 50 });
}

async function begin(): Promise<Course> {
  const course = { model: new Model(), callers, no: (courses += 1), at: () => new Date(time).toISOString(), edit };
  for (const [skill, rule] of Object.entries(RULES)) {
    const id = skillId(course, skill as keyof typeof RULES);
    await w.put({ [`markdown/skills/${id}.md`]: skillPage(id, rule) });
  }
  await plant(course);
  return course;
}

test('[PG85] any course of writes, moves, removals, edits of files and reads by three people is answered as the model answers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 10, maxLength: 40 }), async steps => {
      const course = await begin();
      for (const step of steps) {
        time += 1000;
        await step.run(course);
      }
      time += 1000;
      for (const name of Object.keys(PEOPLE) as Name[]) {
        await checkReads(course, name, null);
        await checkReads(course, name, 'plan');
        await checkPast(course, name);
      }
    }),
    { numRuns: RUNS },
  );
  expect(courses).toBeGreaterThanOrEqual(RUNS);
}, 180_000);
