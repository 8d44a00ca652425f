import { explained, stageA } from '../../../rules/search/index.ts';
import type { RuleSearch } from '../../../rules/search/ports.ts';
import type { ScopeFiles } from './files.ts';
import type { ScopeReaders } from './readers/scope-readers.ts';
import { searchedScopeOf, type SearchScope } from './searched-scope.ts';

/** Searches the lexical tables of a scope (contract 7): in threads where it is large. */
export function sqliteRuleSearch(files: ScopeFiles, readers: ScopeReaders): RuleSearch {
  const searched = searchedScopes(files);
  return {
    lexical: (scope, request, signal) =>
      readers.ask('lexical', scope, request, async () => stageA(searched(scope).now(), request), signal),
    evidence: (scope, read, heads) =>
      readers.ask('evidence', scope, { read, heads }, async () =>
        explained(searched(scope).as(read.build), read.query, heads),
      ),
  };
}

/** The same, one thing at a time. */
export const searchedScopes = (files: ScopeFiles): ((scope: string) => SearchScope) =>
  files.prepared((db, lexical) => searchedScopeOf(db, lexical()));
