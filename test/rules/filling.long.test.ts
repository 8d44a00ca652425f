import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fillScope } from '../../bench/lib/rules-fill.ts';
import { sampleRule } from '../../bench/lib/sample-rules.ts';
import {
  analysisWith,
  asFilledAtOnce,
  filledTo,
  found,
  leftOf,
  progressOf,
  reopened,
  searchedRows,
  SLOWLY,
} from './filling.ts';
import { confirmed, decide, proposed, stocked, world } from './world.ts';

const OLD = analysisWith();
/** Compounds in one piece, and every three letters. */
const NEW = analysisWith({ decompound: false, trigram: true });

test('[RU84] a process that dies at any moment leaves a sound scope, and the next one fills it to the end', async () => {
  const before = await stocked({ scopes: ['sales'], analysis: OLD });
  for (const topic of ['Wartungspläne', 'Lieferzeiten'])
    await confirmed(before, { statement: `${topic} werden im Januar besprochen`, keywords: [] });
  const answer = (here: typeof before) => found(here, 'artungspl Zeit');
  const old = await answer(before);
  const moments: string[] = [];
  let heard = false;
  const here = reopened(before, {
    scopes: ['sales'],
    analysis: NEW,
    pace: SLOWLY,
    trace(sql) {
      if (!heard || !/^\s*(BEGIN|COMMIT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)/i.test(sql)) return;
      const copy = mkdtempSync(join(tmpdir(), 'cairn-filling-'));
      moments.push(copy);
      // What the system has of the files is what a killed process leaves.
      cpSync(here.folder, copy, { recursive: true, filter: path => !path.endsWith('-shm') });
    },
  });
  try {
    here.files.open('sales');
    heard = true;
    await answer(here);
    await filledTo(here);
    heard = false;
    const [now, rows] = [await answer(here), searchedRows(here)];
    expect(now).not.toEqual(old);
    expect(moments.length).toBeGreaterThan(60);
    const seen = new Set<string>();
    for (const folder of moments) {
      const next = world({ folder, scopes: ['sales'], analysis: NEW, pace: SLOWLY });
      expect(next.files.open('sales').pragma('integrity_check', { simple: true })).toBe('ok');
      const first = await answer(next);
      expect([old, now]).toContainEqual(first);
      seen.add(JSON.stringify(first));
      await filledTo(next);
      expect(searchedRows(next)).toEqual(rows);
      expect(leftOf(next)).toEqual([]);
      next.close();
    }
    expect(seen.size).toBe(2);
  } finally {
    here.remove();
    for (const folder of moments) rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

test('[RU84] a scope of 5,000 rules answers and takes proposals and decisions while its tables are filled', async () => {
  const SIZE = 5000;
  const first = await stocked({ scopes: ['sales'], analysis: OLD });
  first.close();
  fillScope(join(first.folder, 'scopes', 'sales.sqlite'), 'sales', SIZE);
  let here = world({ folder: first.folder, scopes: ['sales'], analysis: OLD });
  here.files.lexical('sales');
  await filledTo(here);
  here = reopened(here, { scopes: ['sales'], analysis: NEW });
  try {
    await found(here, 'Regel 1');
    for (let n = 1; progressOf(here) !== null; n += 1) {
      // What was made before the last filling, what is in the new tables already, and what is not.
      const seq = 1 + ((n * 997) % SIZE);
      const { statement, keywords } = sampleRule(seq);
      const id = `sales-${String(seq).padStart(4, '0')}`;
      const refs = await found(here, keywords.join(' '), { terms: [statement.split(':')[0]] });
      expect(refs.some(ref => ref.startsWith(`rule/${id}@`))).toBe(true);
      const made = await proposed(here, { statement: `Zwieselbach${n} liefert nur im Winter`, keywords: [] });
      await decide(here, made, { decision: n % 2 === 0 ? 'confirm' : 'reject', version: 1, reason: 'so' });
      expect(await found(here, `zwieselbach${n}`)).toEqual(n % 2 === 0 ? [`rule/${made}@2`] : []);
      await decide(here, id, {
        decision: 'review',
        version: (await newest(here, id))!,
        change: { keywords: [`Turnus${n}`] },
      });
      expect(await found(here, `turnus${n}`)).toEqual([`rule/${id}@${await newest(here, id)}`]);
      for (let others = 0; others < 20; others++) await turn();
    }
    expect(searchedRows(here)).toEqual(asFilledAtOnce(here, NEW));
  } finally {
    here.remove();
  }
}, 300_000);

const newest = async (here: ReturnType<typeof world>, id: string): Promise<number | undefined> =>
  (await here.rules.find('sales', id))?.current.version;
