import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createRateLimit, type RateLimit } from '../http/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import type { GrantStore } from '../rules/grants/ports.ts';
import { calendarIn, createRuleCall, type Calendar, type RuleCall, type RuleCallParts } from '../rules/index.ts';
import { createAnalysis, lexicalSettings } from '../rules/search/lexical/index.ts';
import type { RuleReader, Scopes, SourceReader } from '../rules/ports.ts';
import type { RuleSearch } from '../rules/search/ports.ts';
import type { LaterStages } from '../rules/search/stages/index.ts';
import { ruleStages } from './rule-stages.ts';
import { sqliteGrants } from '../storage/sqlite/ops-file/grants.ts';
import { openOpsFile } from '../storage/sqlite/ops-file/open.ts';
import { scopeMemory, type ScopeMemory } from '../storage/sqlite/ops-file/scope-memory.ts';
import { sqliteAccessLog } from '../storage/sqlite/scopes/access-log.ts';
import { scopeFiles, type ScopeFiles } from '../storage/sqlite/scopes/files.ts';
import { sqliteRuleVectors } from '../storage/sqlite/scopes/rule-vectors.ts';
import { scopeReaders, type ScopeReaders } from '../storage/sqlite/scopes/readers/scope-readers.ts';
import { sqliteRuleReader } from '../storage/sqlite/scopes/rule-reader.ts';
import { sqliteRuleSearch } from '../storage/sqlite/scopes/rule-search.ts';
import { sqliteScopes } from '../storage/sqlite/scopes/scopes.ts';
import { sqliteSourceReader } from '../storage/sqlite/scopes/source-reader.ts';

export type RulesSettings = NonNullable<Settings['rules']>;

export interface RulesOptions {
  readonly settings: RulesSettings;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The rules of a data folder, open: everything that reads, and the one way to an op. Who writes is up to the composition. */
export interface Rules {
  readonly settings: RulesSettings;
  readonly grants: GrantStore;
  readonly files: ScopeFiles;
  readonly memory: ScopeMemory;
  readonly scopes: Scopes;
  readonly rules: RuleReader;
  readonly sources: SourceReader;
  readonly search: RuleSearch;
  readonly readers: ScopeReaders;
  /** Stages of the search beyond the words. */
  readonly stages: LaterStages;
  readonly calendar: Calendar;
  /** Requests of a grant, whatever they ask and over whatever channel; decisions, sign-ins and exports have their own. */
  readonly requests: RateLimit;
  readonly clock: Clock;
  readonly call: RuleCall;
  /** A line in the process log: names, codes and ids only. */
  readonly report: RuleCallParts['report'];
  close(): void;
}

/** Opens ops.sqlite and the folder of scope files, both made if absent. The data folder must be this process's already. */
export function openRules({ settings, dataDir, clock, log }: RulesOptions): Rules {
  const ops = openOpsFile(join(dataDir, 'ops.sqlite'), { clock });
  const report: Rules['report'] = (event, fields) => log[LEVELS[event] ?? 'info'](fields, event);
  try {
    const { lexical, languages, synonyms } = settings.search;
    const memory = scopeMemory(ops);
    const files = scopeFiles({
      folder: join(dataDir, 'scopes'),
      configured: settings.scopes,
      memory,
      clock,
      report,
      analysis: createAnalysis(lexicalSettings(lexical, languages, synonyms)),
    });
    for (const file of strayFiles(join(dataDir, 'scopes'), settings.scopes)) report('scope.not-configured', { file });
    const scopes = sqliteScopes(files);
    const readers = scopeReaders({ files, report });
    const later = ruleStages({ settings, dataDir, vectors: sqliteRuleVectors(files), report });
    return {
      settings,
      grants: sqliteGrants(ops),
      files,
      memory,
      scopes,
      rules: sqliteRuleReader(files),
      sources: sqliteSourceReader(files),
      search: sqliteRuleSearch(files, readers),
      readers,
      stages: later.stages,
      calendar: calendarIn(settings.zone),
      requests: createRateLimit(clock, settings.limits.requestsPerMinute),
      clock,
      call: createRuleCall({ scopes, log: sqliteAccessLog(files), now: clock, uuid: randomUUID, report }),
      report,
      close() {
        void later.close();
        void readers.stop();
        files.close();
        ops.close();
      },
    };
  } catch (error) {
    ops.close();
    throw error;
  }
}

/** What an operator wants to hear of (contract 4.3); the rest is for information. */
const LEVELS: Readonly<Record<string, 'error' | 'warn'>> = {
  'scope.locked': 'error',
  'scope.not-configured': 'warn',
  'scope.not-counted': 'warn',
  'scope.search-tables-failed': 'warn',
  'scope.reading-failed': 'warn',
  'rules.not-logged': 'warn',
  'rules.vectors-failed': 'warn',
  'rules.stage-b-failed': 'warn',
};

/** Files of scopes that the configuration does not name; nothing opens them (contract 4). */
const strayFiles = (folder: string, configured: RulesSettings['scopes']): readonly string[] =>
  readdirSync(folder).filter(
    file => file.endsWith('.sqlite') && !configured.includes(file.slice(0, -'.sqlite'.length)),
  );
