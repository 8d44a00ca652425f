import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { decidingOp } from '../src/app/approval.ts';
import { agentRules } from '../src/app/agent-rules.ts';
import { openRules, type RulesSettings } from '../src/app/rules.ts';
import { framedResult } from '../src/http/rule-results.ts';
import type { Ctx } from '../src/kernel/op.ts';
import { searchedScopes } from '../src/storage/sqlite/scopes/rule-search.ts';
import { anyOf } from '../src/storage/sqlite/scopes/fts-query.ts';
import { readQuery } from '../src/rules/search/lexical/read-query.ts';
import { pruned } from '../src/rules/search/lexical/prune.ts';
import { waysOf } from '../src/rules/search/lexical/ways.ts';
import { fillScope } from './lib/rules-fill.ts';
import { sampleMail, sampleRule } from './lib/sample-rules.ts';
import { cpuSeconds, figure, percentile, table } from './lib/stats.ts';

/**
 * Rules: proposals, decisions, and the compact search of agents with its answer rendered for a model, for questions as long as
 * a mail, in scopes of 100, 10,000 and 100,000 rules; beside one plain FTS5 query that ORs the same key terms. `--only N`: a
 * scope of N rules alone.
 */
const quick = process.argv.includes('--quick');
const only = process.argv.indexOf('--only');
const SIZES = only > 0 ? [Number(process.argv[only + 1])] : quick ? [100, 2000] : [100, 10_000, 100_000];
const QUESTIONS = quick ? 40 : 200;
const WRITES = quick ? 20 : 100;

const settings = (folder: string): RulesSettings => ({
  instance: 'bench',
  zone: 'Europe/Berlin',
  publicUrl: 'http://127.0.0.1:8080',
  scopes: SIZES.map(size => `s${size}`),
  search: {
    languages: ['de', 'en'],
    minCoverage: 0,
    synonyms: [],
    lexical: null,
    semantic: null,
    reranker: null,
    providers: {},
  },
  limits: {
    requestsPerMinute: 1e9,
    decisionsPerMinute: 1e9,
    loginAttemptsPerMinute: 1e9,
    exportsPerHour: 1e9,
    trustedProxy: false,
  },
  recheckAfterDays: 180,
  backup: { kind: 'copy', directory: folder, exportDirectory: null },
  sessionSecret: 's'.repeat(40),
  opsToken: 'o'.repeat(40),
});

interface Timed {
  readonly latencies: readonly number[];
  /** Of each call, in milliseconds; the machine may be busy with other things. */
  readonly cpu: readonly number[];
}

async function timed(count: number, run: (n: number) => unknown): Promise<Timed> {
  const latencies: number[] = [];
  const cpu: number[] = [];
  for (let n = 0; n < count; n++) {
    const [started, used] = [performance.now(), cpuSeconds()];
    await run(n);
    latencies.push(performance.now() - started);
    cpu.push((cpuSeconds() - used) * 1000);
  }
  return { latencies, cpu };
}

/** Megabytes that a process of its own holds after 50 searches of a scope, beyond those after 50 searches of an empty one. */
function residentMb(path: string, size: number): number {
  const script = fileURLToPath(new URL('./lib/rules-memory.ts', import.meta.url));
  const [full, empty] = [path, ''].map(file => {
    const { stdout } = spawnSync(process.execPath, ['--expose-gc', '--import', 'tsx', script, file, String(size)], {
      encoding: 'utf8',
    });
    return Number(stdout);
  });
  return full! - empty!;
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-rules-bench-'));
mkdirSync(join(folder, 'data'), { mode: 0o700 });
const rules = openRules({
  settings: settings(folder),
  dataDir: join(folder, 'data'),
  clock: () => new Date(),
  log: pino({ level: 'silent' }),
});
try {
  const identity = { auth: 'email', identity: 'ada@example.com' } as const;
  const scopes = SIZES.map(size => `s${size}`);
  const grant = (await rules.grants.add(
    { kind: 'person', ...identity, scopes, rights: ['read', 'propose', 'decide'], label: null },
    new Date(),
  ))!;
  const { tools } = agentRules(rules, '0');
  const tool = (name: string) => tools.find(op => op.name === name)!;
  const ctx = { principal: { grantIdentity: identity } } as unknown as Ctx;
  const decide = decidingOp(rules);
  const rows: (string | number)[][] = [['', 'p50 ms', 'p95 ms', 'CPU ms p50', 'CPU ms p95', '']];
  const add = (name: string, { latencies, cpu }: Timed, note = ''): void =>
    void rows.push([
      name,
      percentile(latencies, 0.5),
      percentile(latencies, 0.95),
      percentile(cpu, 0.5),
      percentile(cpu, 0.95),
      note,
    ]);

  /** How often the best 50 are those of a search that leaves no common word out, in the same order. */
  async function sameTop(scope: string, size: number): Promise<string> {
    let same = 0;
    const { analysis, vocabulary, rank } = searchedScopes(rules.files)(scope).now();
    for (let n = 0; n < QUESTIONS; n++) {
      const ways = waysOf(await readQuery(analysis, vocabulary, sampleMail(n, size), []), analysis);
      const rest = { statuses: ['confirmed'] as const, day: '2026-06-01', limit: 50 };
      const [whole, less] = [
        await rank({ ways, ...rest }),
        await rank({ ways: await pruned(ways, vocabulary), ...rest }),
      ];
      if (whole.map(one => one.ruleId).join() === less.map(one => one.ruleId).join()) same += 1;
    }
    return `best 50 as unpruned in ${figure((same / QUESTIONS) * 100)} %`;
  }

  for (const [at, size] of SIZES.entries()) {
    const scope = scopes[at]!;
    const path = join(folder, 'data', 'scopes', `${scope}.sqlite`);
    rules.files.create(scope);
    fillScope(path, scope, size);
    const search = (text: string) => tool('search_rules').run(ctx, { scopes: [scope], text });
    const [began, used] = [performance.now(), cpuSeconds()];
    const lateness = monitorEventLoopDelay({ resolution: 5 });
    lateness.enable();
    while (rules.files.lexical(scope).progress() !== null) await pause(20);
    lateness.disable();
    const filled = { seconds: (performance.now() - began) / 1000, cpu: cpuSeconds() - used };
    for (let n = 0; n < 20; n++) await search(sampleMail(1_000_000 + n, size));

    const terms: string[][] = [];
    let shown = 0;
    const searched = await timed(QUESTIONS, async n => {
      const answer = (await search(sampleMail(n, size))) as { query: { terms: string[] }; bundles: unknown[] };
      framedResult(answer);
      terms.push(answer.query.terms);
      shown += answer.bundles.length;
    });
    const db = new Database(path, { readonly: true });
    const plain = db.prepare<[string]>(
      'SELECT rowid FROM rule_fts WHERE rule_fts MATCH ? ORDER BY bm25(rule_fts, 4, 3, 2, 1) LIMIT 10',
    );
    const peer = await timed(QUESTIONS, n => plain.all(anyOf(terms[n]!.map(term => term.split(' ')))!));
    db.close();
    const alike = await sameTop(scope, size);
    add(
      `${figure(size)} rules: search_rules, compact, rendered`,
      searched,
      `${figure(shown / QUESTIONS)} bundles, ${alike}`,
    );
    add(`${figure(size)} rules: plain FTS5 OR of the same terms`, peer);

    const refs: string[] = [];
    const proposed = await timed(WRITES, async n => {
      const { statement, keywords, validFrom } = sampleRule(size + 1 + n);
      const { ref } = await tool('propose_rule').run(ctx, {
        scope,
        kind: 'rule',
        statement,
        source: { kind: 'manual', quote: statement, link: null },
        said_at: '2026-01-01T00:00:00Z',
        speaker: null,
        relations: [],
        keywords,
        valid_from: validFrom,
        supersedes: null,
      });
      refs.push(String(ref));
    });
    add(`${figure(size)} rules: propose_rule`, proposed);
    const decided = await timed(WRITES, n =>
      rules.call(
        decide,
        { grant, channel: 'approval' },
        { id: refs[n]!.slice('rule/'.length, -'@1'.length), body: { decision: 'confirm', version: 1 } },
      ),
    );
    add(`${figure(size)} rules: decision`, decided);
    process.stdout.write(
      `${figure(size)} rules: file ${figure(statSync(path).size / 1e6)} MB, search tables filled in ${figure(filled.seconds)} s (${figure(filled.cpu)} CPU s), ` +
        `the event loop late by ${figure(lateness.percentile(99) / 1e6)} ms (p99), ${figure(lateness.max / 1e6)} ms (most); ` +
        `memory of a process that searches it ${figure(residentMb(path, size))} MB more than of one that searches an empty one\n`,
    );
  }
  process.stdout.write(`\n${table(rows)}\n`);
} finally {
  rules.close();
  rmSync(folder, { recursive: true, force: true });
}
