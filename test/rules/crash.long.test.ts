import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmed, proposed, stocked, world, type World } from './world.ts';

/** sales: one confirmed rule, and one proposal that replaces it. legal does not exist. */
let template: string;
beforeAll(async () => {
  const here = await stocked({ scopes: ['sales'] });
  const old = await confirmed(here);
  await proposed(here, { supersedes: old, valid_from: '2026-04-01' });
  here.close();
  template = here.folder;
});
afterAll(() => rmSync(template, { recursive: true }));

interface Ended {
  readonly killed: boolean;
  readonly statements: readonly string[];
}

function run(folder: string, what: string, at: number): Promise<Ended> {
  const child = join(import.meta.dirname, 'crash-child.ts');
  const started = spawn(process.execPath, ['--import', 'tsx', child, folder, what, String(at)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  started.stdout.on('data', data => (output += String(data)));
  return new Promise((resolve, reject) => {
    started.on('close', (code, signal) => {
      if (code === 0) resolve({ killed: false, statements: JSON.parse(output) as string[] });
      else if (signal === 'SIGKILL') resolve({ killed: true, statements: [] });
      else reject(new Error(`child ended with ${code ?? signal}`));
    });
  });
}

/** Lets `what` die before each of its statements in turn, two at a time, and looks at what is left. */
async function atEveryStep(
  what: string,
  look: (here: World) => unknown,
): Promise<{ steps: readonly string[]; seen: unknown[] }> {
  const once = async (at: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'cairn-crash-'));
    cpSync(template, folder, { recursive: true });
    const ended = await run(folder, what, at);
    const here = world({ folder });
    try {
      for (const scope of ['sales', 'legal']) sound(here, scope);
      return { ended, seen: look(here) };
    } finally {
      here.remove();
    }
  };
  const whole = await once(Number.MAX_SAFE_INTEGER);
  const steps = whole.ended.statements;
  const seen: unknown[] = [];
  for (let at = 0; at < steps.length; at += 2) {
    const pair = await Promise.all([at, at + 1].filter(one => one < steps.length).map(once));
    for (const { ended, seen: left } of pair) {
      expect(ended.killed).toBe(true);
      seen.push(left);
    }
  }
  return { steps, seen: [...seen, whole.seen] };
}

/** What must hold of a scope whatever happened: it opens, and ops.sqlite remembers no more than there is. */
function sound(here: World, scope: string): void {
  const remembered = here.memory.of(scope)?.versionCount ?? 0;
  const { lock } = here.files.state(scope);
  expect(['not-created', null]).toContain(lock);
  if (lock !== null) return expect(remembered).toBe(0);
  const db = here.files.open(scope);
  expect(db.prepare('SELECT count(*) FROM rule_version').pluck().get()).toBeGreaterThanOrEqual(remembered);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  for (const table of ['rule_fts', 'rejected_fts'])
    db.exec(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
}

const one = (here: World, sql: string): unknown => Object.values(here.rows('sales', sql)[0]!)[0];

/** What was left, step by step, must be nothing and then, from one step on, all. */
function nothingThenAll(seen: readonly unknown[], nothing: unknown, all: unknown): void {
  const turn = seen.findIndex(left => JSON.stringify(left) === JSON.stringify(all));
  expect(turn).toBeGreaterThan(0);
  expect(turn).toBeLessThan(seen.length);
  expect(seen.slice(0, turn)).toEqual(seen.slice(0, turn).map(() => nothing));
  expect(seen.slice(turn)).toEqual(seen.slice(turn).map(() => all));
}

test('[RU56] a proposal is stored whole or not at all, whenever the process dies', async () => {
  const { steps, seen } = await atEveryStep('propose', here => ({
    rules: one(here, 'SELECT count(*) FROM rule'),
    versions: one(here, 'SELECT count(*) FROM rule_version'),
    search: one(here, 'SELECT count(*) FROM rule_fts'),
    source: one(here, `SELECT count(*) FROM source WHERE kind = 'manual'`),
    log: one(here, `SELECT count(*) FROM search_log WHERE operation = 'propose' AND outcome = 201`),
  }));
  expect(steps.length).toBeGreaterThan(8);
  expect(steps).toContain('COMMIT');
  nothingThenAll(
    seen,
    { rules: 2, versions: 3, search: 2, source: 0, log: 2 },
    { rules: 3, versions: 4, search: 3, source: 1, log: 3 },
  );
});

const decisions = (here: World) => ({
  versions: one(here, 'SELECT count(*) FROM rule_version'),
  statuses: here.rows('sales', 'SELECT status FROM current_version ORDER BY rule_id').map(row => row['status']),
  decisions: one(here, 'SELECT count(*) FROM decision'),
  search: one(here, 'SELECT count(*) FROM rule_fts'),
  rejected: one(here, 'SELECT count(*) FROM rejected_fts'),
  log: one(here, `SELECT count(*) FROM search_log WHERE operation = 'decide' AND outcome = 200`),
});
const BEFORE = { versions: 3, statuses: ['confirmed', 'proposed'], decisions: 1, search: 2, rejected: 0, log: 1 };

test('[RU67, RU62] a confirmation with what it replaces is stored whole or not at all', async () => {
  const { steps, seen } = await atEveryStep('confirm', decisions);
  expect(steps).toContain('COMMIT');
  nothingThenAll(seen, BEFORE, {
    versions: 5,
    statuses: ['superseded', 'confirmed'],
    decisions: 2,
    search: 2,
    rejected: 0,
    log: 2,
  });
});

test('[RU67] a rejection is stored whole or not at all', async () => {
  const { steps, seen } = await atEveryStep('reject', decisions);
  expect(steps).toContain('COMMIT');
  nothingThenAll(seen, BEFORE, {
    versions: 4,
    statuses: ['confirmed', 'rejected'],
    decisions: 2,
    search: 1,
    rejected: 1,
    log: 2,
  });
});

test.each([
  ['revoke', ['superseded', 'proposed']],
  ['review', ['confirmed', 'proposed']],
])('[RU67] to %s is stored whole or not at all', async (what, statuses) => {
  const { steps, seen } = await atEveryStep(what, decisions);
  expect(steps).toContain('COMMIT');
  nothingThenAll(seen, BEFORE, { ...BEFORE, versions: 4, statuses, decisions: 2, log: 2 });
});

test('[RU30] a source is stored with all its segments and attachments or not at all', async () => {
  const parts = (here: World) =>
    ['source', 'source_segment', 'source_attachment'].map(table => one(here, `SELECT count(*) FROM ${table}`));
  const [mail, meeting] = [await atEveryStep('source', parts), await atEveryStep('meeting', parts)];
  expect(mail.steps).toContain('COMMIT');
  nothingThenAll(mail.seen, [1, 0, 0], [2, 0, 2]);
  nothingThenAll(meeting.seen, [1, 0, 0], [2, 4, 0]);
});

test('[RU1] a scope is made whole or not at all, and can be made after every crash', async () => {
  const { steps, seen } = await atEveryStep('create', here => {
    const before = here.files.state('legal').lock;
    return [before, here.files.create('legal'), here.files.state('legal').lock];
  });
  expect(steps.length).toBeGreaterThan(8);
  nothingThenAll(seen, ['not-created', 'created', null], [null, 'exists', null]);
});
