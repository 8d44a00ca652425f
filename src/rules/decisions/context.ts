import { clock } from '../bundles/head.ts';
import type { RuleVersion } from '../model.ts';
import type { RuleReader, SourceReader } from '../ports.ts';
import { windowOf } from '../proposals/quote/find.ts';
import type { QuoteContext } from './schema.ts';

export interface ContextParts {
  readonly rules: Pick<RuleReader, 'quoteMatches'>;
  readonly sources: Pick<SourceReader, 'text' | 'segments'>;
}

/** The quote of a version in what surrounds it, where it was found when it was proposed. */
export async function contextOf(
  { rules, sources }: ContextParts,
  scope: string,
  { ruleId, sourceId, timestampS }: RuleVersion,
): Promise<QuoteContext> {
  const matches = await rules.quoteMatches(scope, ruleId);
  const markIn = (part: number) => {
    const found = matches.find(one => one.part === part);
    return found ? { start: found.start, end: found.stop } : null;
  };
  if (timestampS !== null) {
    const { from, until } = windowOf(timestampS);
    const window = await sources.segments(scope, sourceId, from, until);
    return {
      kind: 'meeting',
      segments: window.map(({ n, start_s, speaker, text }) => ({
        start_s,
        time: clock(start_s),
        speaker,
        text,
        mark: markIn(n),
      })),
    };
  }
  const content = await sources.text(scope, sourceId);
  if (content?.kind !== 'mail') return null;
  return { kind: 'mail', text: content.text, mark: markIn(0) ?? { start: 0, end: 0 } };
}
