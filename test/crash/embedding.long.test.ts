import Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChild } from '../storage/child.ts';
import { tempFolder } from '../storage/world.ts';
import { COUNT, embedderOf, POISON, sayingOf } from './embedding-model.ts';
import { MOMENTS, type EmbeddingRun } from './embedding.child.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A parked text is tried again at every start. */
const isPoison = (text: string): boolean => text.includes(POISON);
const ALL = new Set(Array.from({ length: COUNT }, (_, at) => `pump\n${sayingOf(at)}`));

function start(model: number, killAt: EmbeddingRun['killAt'], stay: boolean): ReturnType<typeof startChild> {
  const run: EmbeddingRun = { dataDir: join(folder, 'data'), journal: join(folder, 'journal'), model, killAt, stay };
  return startChild('crash/embedding.child.ts', [JSON.stringify(run)]);
}

/** Texts by model that were stored for certain, and those that were embedded although they were. */
function journalled(): { kept: Map<string, Set<string>>; again: string[] } {
  const path = join(folder, 'journal');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const kept = new Map<string, Set<string>>();
  const again: string[] = [];
  for (const line of lines) {
    const [what, model, text] = JSON.parse(line) as ['asked' | 'kept', string, string];
    const known = kept.get(model) ?? new Set();
    kept.set(model, known);
    if (what === 'kept') known.add(text);
    else if (known.has(text) && !isPoison(text)) again.push(`${model}: ${text}`);
  }
  return { kept, again };
}

interface Row {
  readonly hash: string;
  readonly numbers: Buffer;
}

/** What is wrong with the vectors that a run left, and how many texts each model has. */
async function look(): Promise<{ faults: string[]; models: Record<string, number> }> {
  const faults: string[] = [];
  const models: Record<string, number> = {};
  const path = join(folder, 'data', 'vectors.sqlite');
  if (!existsSync(path)) return { faults, models };
  const db = new Database(path);
  try {
    const hashes = new Map([...ALL].map(text => [hash('sha256', text, 'hex').slice(0, 32), text]));
    const { kept, again } = journalled();
    faults.push(...again.map(one => `embedded again: ${one}`));
    const generations = db
      .prepare<[], { generation: number; model: string; serving: number }>('SELECT * FROM generation')
      .all();
    if (generations.filter(({ serving }) => serving === 1).length > 1) faults.push('two serve');
    for (const { generation, model } of generations) {
      const rows = db
        .prepare<[number], Row>('SELECT lower(hex(text_hash)) AS hash, numbers FROM vector WHERE generation = ?')
        .all(generation);
      const parked = db
        .prepare<[number], string>('SELECT lower(hex(text_hash)) FROM parked WHERE generation = ?')
        .pluck()
        .all(generation);
      models[model] = rows.length;
      const stored = new Set([...rows.map(row => row.hash), ...parked].map(one => hashes.get(one)));
      if (stored.has(undefined)) faults.push(`${model} has a vector of no text`);
      if (new Set(rows.map(row => row.hash)).size !== rows.length) faults.push(`${model} has a vector twice`);
      for (const text of kept.get(model) ?? [])
        if (!stored.has(text) && !isPoison(text)) faults.push(`${model} lost ${text}`);
      const embedder = embedderOf(Number(model.split(' ')[1]));
      for (const row of rows) {
        const numbers = new Int16Array(new Uint8Array(row.numbers).buffer);
        const vector = await embedder.embedQuery(hashes.get(row.hash) ?? '');
        if (vector.reduce((sum, value, at) => sum + value * numbers[at]!, 0) <= 0)
          faults.push(`${model} has a stranger`);
      }
    }
  } finally {
    db.close();
  }
  return { faults, models };
}

/** How the run ended, and what is wrong after it. */
async function killed(model: number, killAt: EmbeddingRun['killAt'], afterMs?: number): Promise<string[]> {
  const child = start(model, killAt, true);
  if (afterMs !== undefined) {
    await Promise.race([child.line('embedding').then(() => sleep(afterMs)), child.ended()]);
    child.process.kill('SIGKILL');
  }
  return [String(await child.ended()), ...(await look()).faults];
}

/** What a run says and leaves that is not cut short. */
async function finished(model: number): Promise<object> {
  const child = start(model, null, false);
  const told = await child.line('{');
  return { end: await child.ended(), ...(JSON.parse(told) as object), ...(await look()) };
}

/** Every text is embedded by this model, once, and nothing by another one. */
const whole = (number: number): object => {
  const model = `model ${number}`;
  return {
    end: 0,
    model,
    building: null,
    wrong: 0,
    parked: 1,
    left: 0,
    faults: [],
    models: { [model]: ALL.size - 1 },
  };
};

test('[VL12] killed at each moment of embedding and of going over to another model', { timeout: 120_000 }, async () => {
  for (const moment of ['asked', 'made', 'stored'] as const)
    expect(await killed(0, { moment, occurrence: 2 })).toEqual(['SIGKILL']);
  expect(await finished(0)).toEqual(whole(0));
  for (const moment of MOMENTS)
    expect(await killed(1, { moment, occurrence: moment === 'stored' ? 2 : 1 })).toEqual(['SIGKILL']);
  expect(await finished(1)).toEqual(whole(1));
});

test(
  '[VL12] killed at random moments of embedding and of going over to another model',
  { timeout: 120_000 },
  async () => {
    for (let run = 0; run < 4; run++) expect(await killed(run >> 1, null, Math.random() * 120)).toEqual(['SIGKILL']);
    expect(await finished(1)).toEqual(whole(1));
    for (let run = 0; run < 3; run++) expect(await killed(2, null, Math.random() * 200)).toEqual(['SIGKILL']);
    expect(await finished(2)).toEqual(whole(2));
  },
);
