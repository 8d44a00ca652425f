import { versionRef } from '../refs.ts';
import type { Language } from './stopwords.ts';
import { stageA, type StageAParts } from './stage-a.ts';
import { searchTerms } from './terms.ts';

const MAX_DUPLICATES = 3;

/** Refs of up to three rules or proposals that say something alike, best first; `except` is the rule in question. */
export async function duplicates(
  parts: StageAParts,
  languages: readonly Language[],
  scope: string,
  { statement, keywords }: { readonly statement: string; readonly keywords: readonly string[] },
  day: string,
  except: string,
): Promise<string[]> {
  const terms = searchTerms(statement, keywords, languages);
  const found = await stageA(parts, scope, { terms, day, proposals: true });
  return found
    .map(({ rule }) => rule.current)
    .filter(({ ruleId }) => ruleId !== except)
    .slice(0, MAX_DUPLICATES)
    .map(({ ruleId, version }) => versionRef(ruleId, version));
}
