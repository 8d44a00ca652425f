import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRules } from '../../src/rules/bundles/list-rules.op.ts';
import { provenance } from '../../src/rules/bundles/provenance.op.ts';
import { readRule } from '../../src/rules/bundles/read-rule.op.ts';
import { decideRule } from '../../src/rules/decisions/decide.op.ts';
import { inbox } from '../../src/rules/decisions/inbox.op.ts';
import { listRejected } from '../../src/rules/decisions/list-rejected.op.ts';
import { recheck } from '../../src/rules/decisions/recheck.op.ts';
import { showRule } from '../../src/rules/decisions/show-rule.op.ts';
import { feedback } from '../../src/rules/feedback/feedback.op.ts';
import { exportScope } from '../../src/rules/export/export-scope.op.ts';
import type { Right } from '../../src/rules/grants/schema.ts';
import {
  calendarIn,
  createRuleCall,
  duplicates,
  withRuleDeps,
  type CallerGrant,
  type Channel,
} from '../../src/rules/index.ts';
import { listProposals } from '../../src/rules/proposals/list-proposals.op.ts';
import { proposeRule } from '../../src/rules/proposals/propose-rule.op.ts';
import { scopesOp } from '../../src/rules/scopes/scopes.op.ts';
import { statusOp } from '../../src/rules/scopes/status.op.ts';
import type { Analysis } from '../../src/rules/search/lexical/index.ts';
import type { LaterStages } from '../../src/rules/search/stages/ports.ts';
import { searchRules } from '../../src/rules/search/search-rules.op.ts';
import { readSource } from '../../src/rules/sources/read-source.op.ts';
import { storeSource } from '../../src/rules/sources/store-source.op.ts';
import { openOpsFile } from '../../src/storage/sqlite/ops-file/open.ts';
import { scopeMemory } from '../../src/storage/sqlite/ops-file/scope-memory.ts';
import { sqliteAccessLog } from '../../src/storage/sqlite/scopes/access-log.ts';
import type { Db } from '../../src/storage/sqlite/scopes/connect.ts';
import { sqliteDecisionWriter } from '../../src/storage/sqlite/scopes/decide.ts';
import { sqliteFeedback } from '../../src/storage/sqlite/scopes/feedback.ts';
import { scopeFiles } from '../../src/storage/sqlite/scopes/files.ts';
import type { FillingPace } from '../../src/storage/sqlite/scopes/lexical/scope-lexical.ts';
import { sqliteProposalWriter } from '../../src/storage/sqlite/scopes/insert-proposed.ts';
import { sqliteRejectedReader } from '../../src/storage/sqlite/scopes/rejected-similar.ts';
import { scopeReaders } from '../../src/storage/sqlite/scopes/readers/scope-readers.ts';
import { sqliteRuleReader } from '../../src/storage/sqlite/scopes/rule-reader.ts';
import { searchedScopes, sqliteRuleSearch } from '../../src/storage/sqlite/scopes/rule-search.ts';
import { sqliteScopes } from '../../src/storage/sqlite/scopes/scopes.ts';
import { sqliteServedReader } from '../../src/storage/sqlite/scopes/served.ts';
import { sqliteScopeExports } from '../../src/storage/sqlite/scopes/snapshot.ts';
import { sqliteSourceReader } from '../../src/storage/sqlite/scopes/source-reader.ts';
import { sqliteSourceWriter } from '../../src/storage/sqlite/scopes/source-writer.ts';

export interface WorldOptions {
  readonly folder?: string;
  readonly scopes?: readonly string[];
  readonly now?: Date;
  readonly zone?: string;
  readonly minCoverage?: number;
  readonly recheckAfterDays?: number;
  readonly trace?: (sql: string) => void;
  readonly analysis?: Analysis;
  readonly pace?: FillingPace;
  /** Rules from which on threads answer. */
  readonly threadsFrom?: number;
  /** Looked at with every search. */
  readonly later?: { readonly stages?: LaterStages };
}

type Loose = Record<string, any>; // oxlint-disable-line typescript/no-explicit-any

/** A data folder with real files, every rules op bound to them, and a clock that only moves by hand. */
export function world(options: WorldOptions = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'cairn-rules-'));
  let now = options.now ?? new Date('2026-03-12T10:00:00.000Z');
  const clock = (): Date => now;
  const reports: { event: string; fields: Readonly<Record<string, string>> }[] = [];
  const report = (event: string, fields: Readonly<Record<string, string>>): void =>
    void reports.push({ event, fields });
  const { trace } = options;
  const ops: Db = openOpsFile(join(folder, 'ops.sqlite'), { clock, trace });
  const memory = scopeMemory(ops);
  const configured = options.scopes ?? ['sales', 'legal'];
  const files = scopeFiles({
    folder: join(folder, 'scopes'),
    configured,
    memory,
    clock,
    report,
    trace,
    ...(options.analysis ? { analysis: options.analysis } : {}),
    ...(options.pace ? { pace: options.pace } : {}),
  });
  const scopes = sqliteScopes(files);
  const rules = sqliteRuleReader(files);
  const sources = sqliteSourceReader(files);
  const readers = scopeReaders({ files, report, from: options.threadsFrom });
  const search = sqliteRuleSearch(files, readers);
  const exports = sqliteScopeExports(files, readers);
  const calendar = calendarIn(options.zone ?? 'Europe/Berlin');
  const recheckAfterDays = options.recheckAfterDays ?? 180;
  const minCoverage = options.minCoverage ?? 0;
  const publicUrl = 'https://rules.example.com';
  const rejected = sqliteRejectedReader(files);
  const reading = { rules, sources, search, calendar, recheckAfterDays };
  const bound = {
    storeSource: withRuleDeps(storeSource, { sources: sqliteSourceWriter(files), stored: sources, report }),
    readSource: withRuleDeps(readSource, { stored: sources, report }),
    proposeRule: withRuleDeps(proposeRule, {
      proposals: sqliteProposalWriter(files),
      rules,
      sources,
      duplicates: (scope, said, except) => duplicates(search, scope, said, calendar.dayOf(now), except),
      publicUrl,
    }),
    listProposals: withRuleDeps(listProposals, { rules, publicUrl }),
    searchRules: withRuleDeps(searchRules, {
      ...reading,
      minCoverage,
      ticks: () => 0,
      get stages() {
        return options.later?.stages;
      },
    }),
    readRule: withRuleDeps(readRule, reading),
    listRules: withRuleDeps(listRules, reading),
    provenance: withRuleDeps(provenance, { rules, sources }),
    feedback: withRuleDeps(feedback, { feedback: sqliteFeedback(files) }),
    scopes: withRuleDeps(scopesOp, { scopes }),
    status: withRuleDeps(statusOp, { scopes, instance: 'demo', zone: 'Europe/Berlin', version: '0.0.0' }),
    showRule: withRuleDeps(showRule, {
      recheckAfterDays,
      rules,
      sources,
      search,
      rejected,
      calendar,
    }),
    inbox: withRuleDeps(inbox, { rules, scopes, calendar, recheckAfterDays, rejected }),
    listRejected: withRuleDeps(listRejected, { rejected }),
    recheck: withRuleDeps(recheck, { rules, scopes, calendar, recheckAfterDays, served: sqliteServedReader(files) }),
    exportScope: withRuleDeps(exportScope, {
      exports,
      instance: 'demo',
      zone: 'Europe/Berlin',
    }),
    decide: withRuleDeps(decideRule, { decisions: sqliteDecisionWriter(files), rules, sources }),
  };
  const call = createRuleCall({ scopes, log: sqliteAccessLog(files), now: clock, uuid: randomUUID, report });
  return {
    folder,
    ops,
    files,
    memory,
    reports,
    bound,
    rules,
    search,
    readers,
    exports,
    searched: searchedScopes(files),
    call,
    clock,
    pass: (ms: number): void => void (now = new Date(now.getTime() + ms)),
    /** Calls an op; the answer's output, with its status. */
    async do(op: keyof typeof bound, raw: unknown, caller: CallerGrant = ANNA, channel: Channel = 'api') {
      const { status, output } = await call(bound[op], { grant: caller, channel }, raw);
      return { http: status, ...(output as Loose) } as Loose & { http: number };
    },
    rows: (scope: string, sql: string): Loose[] => files.open(scope).prepare(sql).all() as Loose[],
    close(): void {
      void readers.stop();
      files.close();
      ops.close();
    },
    remove(): void {
      this.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type World = ReturnType<typeof world>;

export const grant = (
  id: string,
  rights: readonly Right[] = ['read', 'propose', 'decide'],
  scopes: readonly string[] = ['sales', 'legal'],
): CallerGrant => ({
  id,
  kind: id.startsWith('person') ? 'person' : 'service',
  identity: id.startsWith('person') ? `${id.replace(':', '')}@example.com` : 'feeder',
  scopes,
  rights,
});
export const ANNA = grant('person:1');
export const FEEDER = grant('service:2', ['read', 'propose']);

export const MAIL_ID = 'mail:<delivery-1@example.com>';
export const QUOTE = 'please ask for the delivery time before you order black hook rails';
export const MAIL_TEXT = `Hello,\n\nfrom now on ${QUOTE}.\nThe last order came six weeks late.\n\nKind regards`;

export const mail = (over: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) => ({
  scope: 'sales',
  source: {
    kind: 'mail',
    id: MAIL_ID,
    title: 'Hook rails',
    occurred_at: '2026-03-12T09:00:00Z',
    sender: 'supplier@example.com',
    thread: null,
    link: 'https://mail.example.com/1',
    ...over,
  },
  text: MAIL_TEXT,
  attachments: [],
  ...rest,
});

export const meeting = (over: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) => ({
  scope: 'sales',
  source: {
    kind: 'jamie',
    id: 'jamie:weekly-1',
    title: 'Weekly',
    occurred_at: '2026-03-11T08:00:00Z',
    sender: null,
    link: 'https://meet.example.com/1',
    ...over,
  },
  segments: [
    { start_s: 0, speaker: 'Ada', text: 'Good morning, everyone.' },
    { start_s: 300, speaker: 'Ada', text: 'From April on we ship' },
    { start_s: 310, speaker: 'Ben', text: 'to Switzerland only with customs papers.' },
    { start_s: 900, speaker: 'Ben', text: 'That is all for today.' },
  ],
  attachments: [],
  ...rest,
});

export const proposal = (over: Record<string, unknown> = {}) => ({
  scope: 'sales',
  kind: 'rule',
  statement: 'Ask the supplier for the delivery time before ordering black hook rails',
  source: { kind: 'mail', id: MAIL_ID, quote: QUOTE, link: 'https://mail.example.com/1' },
  said_at: '2026-03-12T09:00:00Z',
  speaker: 'Ada',
  relations: [{ kind: 'product', name: 'Hook rail', ref: null }],
  keywords: ['delivery time', 'hook rail'],
  valid_from: '2026-03-12',
  supersedes: null,
  ...over,
});

/** A scope with one mail in it. */
export async function stocked(options: WorldOptions = {}): Promise<World> {
  const here = world(options);
  for (const scope of options.scopes ?? ['sales', 'legal']) here.files.create(scope);
  await here.do('storeSource', mail(), FEEDER);
  return here;
}

/** Proposes, and confirms as proposed; answers the rule's id. */
export async function confirmed(here: World, over: Record<string, unknown> = {}): Promise<string> {
  const id = await proposed(here, over);
  await decide(here, id, { decision: 'confirm', version: 1 });
  return id;
}

export async function proposed(here: World, over: Record<string, unknown> = {}): Promise<string> {
  const { ref } = await here.do('proposeRule', proposal(over), FEEDER);
  return (ref as string).slice('rule/'.length, -'@1'.length);
}

export const decide = (here: World, id: string, body: unknown, shown?: string) =>
  here.do('decide', { id, body, ...(shown === undefined ? {} : { shown_sha256: shown }) }, ANNA, 'approval');

/** The code of the refusal that a call ends in, with what goes with it. */
export async function refusal(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  try {
    await promise;
  } catch (thrown) {
    const { code, data } = thrown as { code: string; data: Record<string, unknown> };
    return { code, ...data };
  }
  return { code: 'none' };
}
