import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { Failure } from '../../../kernel/failure.ts';
import { createAnalysis, lexicalSettings, type Analysis } from '../../../rules/search/lexical/index.ts';
import { PACE, scopeLexical, type FillingPace, type ScopeLexical } from './lexical/scope-lexical.ts';
import type { ScopeMemory } from '../ops-file/scope-memory.ts';
import type { Connect, Db } from './connect.ts';
import { createScopeFile, makeScopesFolder } from './create.ts';
import { SCOPE_MIGRATIONS } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';
import { countVersions, openChecked, type LockReason, type OpenFile } from './open-check.ts';

export interface ScopeFilesOptions extends Connect {
  /** The folder with one file a scope. */
  readonly folder: string;
  /** The scopes that may exist. */
  readonly configured: readonly string[];
  readonly memory: ScopeMemory;
  readonly clock: Clock;
  /** Hears of locked scopes and of counts that could not be remembered; names and reasons only. */
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
  readonly migrations?: readonly Migration[];
  /** How rules are read for search; that of an empty configuration unless given. */
  readonly analysis?: Analysis;
  readonly pace?: FillingPace;
}

export interface ScopeState {
  /** Whether there is or ever was a file. */
  readonly created: boolean;
  readonly lock: LockReason | null;
}

/** The scope files of a data folder, each opened on first use and checked once (contract 4.3). */
export interface ScopeFiles {
  readonly folder: string;
  readonly analysis: Analysis;
  /** `scope-locked` when the file must not be used. */
  open(scope: string): Db;
  state(scope: string): ScopeState;
  /** `locked`: there is a file that must not be used, or there was one, which is never made anew. */
  create(scope: string): 'created' | 'exists' | 'locked';
  /** Statements prepared once a file. */
  prepared<T>(prepare: (db: Db, lexical: () => ScopeLexical) => T): (scope: string) => T;
  /** What is searched of a scope. Tables of another build begin to be filled anew with the first call. */
  lexical(scope: string): ScopeLexical;
  /** To be called after every committed write of rule versions. */
  counted(scope: string): void;
  close(): void;
}

/** The file of each scope below the folder. Throws for a folder that cannot be made. */
export function scopeFiles({ folder, configured, memory, clock, report, ...options }: ScopeFilesOptions): ScopeFiles {
  const migrations = options.migrations ?? SCOPE_MIGRATIONS;
  const analysis = options.analysis ?? createAnalysis(lexicalSettings());
  const known = new Map<string, OpenFile | { readonly lock: LockReason }>();
  const pathOf = (scope: string): string => join(folder, `${scope}.sqlite`);
  makeScopesFolder(folder);

  function look(scope: string): OpenFile | { readonly lock: LockReason } {
    const seen = known.get(scope);
    if (seen) return seen;
    if (!configured.includes(scope)) return { lock: 'not-configured' };
    const remembered = memory.of(scope);
    if (!remembered && !existsSync(pathOf(scope))) return { lock: 'not-created' };
    const opened = openChecked(pathOf(scope), scope, remembered?.versionCount ?? 0, migrations, options);
    known.set(scope, opened);
    if ('db' in opened) memory.remember(scope, opened, clock());
    else report('scope.locked', { scope, reason: opened.lock, detail: opened.detail ?? '' });
    return opened;
  }

  function open(scope: string): Db {
    const file = look(scope);
    if ('db' in file) return file.db;
    throw new Failure('scope-locked', `scope ${scope} is locked`);
  }

  const searched = new WeakMap<Db, ScopeLexical>();
  function lexical(scope: string): ScopeLexical {
    const db = open(scope);
    const before = searched.get(db);
    if (before) return before;
    const made = scopeLexical(db, analysis, options.pace ?? PACE, heard => {
      if ('filled' in heard) report('scope.search-tables', { scope, filled: `${Math.round(heard.filled * 100)} %` });
      else report('scope.search-tables-failed', { scope, reason: reasonOf(heard.failed) });
    });
    searched.set(db, made);
    return made;
  }

  return {
    folder,
    analysis,
    open,
    lexical,
    state(scope) {
      const file = look(scope);
      const lock = 'db' in file ? null : file.lock;
      return { created: lock !== 'not-created' && lock !== 'not-configured', lock };
    },
    create(scope) {
      const seen = look(scope);
      if ('db' in seen) return 'exists';
      if (seen.lock === 'not-configured') throw new Error(`scope ${scope} is not configured`);
      if (seen.lock !== 'not-created') return 'locked';
      createScopeFile(pathOf(scope), scope, clock().toISOString(), migrations, options);
      open(scope);
      return 'created';
    },
    prepared(prepare) {
      const made = new WeakMap<Db, ReturnType<typeof prepare>>();
      return scope => {
        const db = open(scope);
        const ready = made.get(db) ?? prepare(db, () => lexical(scope));
        made.set(db, ready);
        return ready;
      };
    },
    counted(scope) {
      const file = look(scope);
      if (!('db' in file)) return;
      try {
        memory.remember(scope, { createdAt: file.createdAt, versionCount: countVersions(file.db) }, clock());
      } catch (error) {
        // The write is committed: refusing it now would make the caller send it again. The next write raises the count.
        report('scope.not-counted', { scope, reason: reasonOf(error) });
      }
    },
    close() {
      for (const file of known.values()) if ('db' in file) file.db.close();
      known.clear();
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
