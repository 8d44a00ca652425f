import { explained, stageA } from '../../../rules/search/index.ts';
import type { RuleSearch } from '../../../rules/search/ports.ts';
import type { ScopeFiles } from './files.ts';
import { searchedScopeOf, type SearchScope } from './searched-scope.ts';

/** Searches the lexical tables of a scope (contract 7). */
export function sqliteRuleSearch(files: ScopeFiles): RuleSearch {
  const searched = searchedScopes(files);
  return {
    async lexical(scope, request) {
      return stageA(searched(scope).now(), request);
    },
    async evidence(scope, { query, build }, heads) {
      return explained(searched(scope).as(build), query, heads);
    },
  };
}

/** The same, one thing at a time. */
export const searchedScopes = (files: ScopeFiles): ((scope: string) => SearchScope) =>
  files.prepared((db, lexical) => searchedScopeOf(db, lexical()));
