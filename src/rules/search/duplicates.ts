import { versionRef } from '../refs.ts';
import type { RuleSearch } from './ports.ts';

const MAX_DUPLICATES = 3;

/** Refs of up to three rules or proposals that say something alike, best first; `except` is the rule in question. */
export async function duplicates(
  search: Pick<RuleSearch, 'lexical'>,
  scope: string,
  { statement, keywords }: { readonly statement: string; readonly keywords: readonly string[] },
  day: string,
  except: string,
): Promise<string[]> {
  const { heads } = await search.lexical(scope, {
    text: statement,
    given: keywords,
    day,
    most: MAX_DUPLICATES + 1,
    proposals: true,
    explain: false,
  });
  return heads
    .map(({ rule }) => rule.current)
    .filter(({ ruleId }) => ruleId !== except)
    .slice(0, MAX_DUPLICATES)
    .map(({ ruleId, version }) => versionRef(ruleId, version));
}
