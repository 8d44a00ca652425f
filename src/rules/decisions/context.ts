import { clock } from '../bundles/head.ts';
import type { RuleVersion } from '../model.ts';
import type { SourceReader } from '../ports.ts';
import { findInText, findInWindow, windowOf } from '../proposals/quote/find.ts';
import type { QuoteContext } from './schema.ts';

/** The quote of a version in what surrounds it, found again in the stored source, which never changes. */
export async function contextOf(
  sources: Pick<SourceReader, 'text' | 'segments'>,
  scope: string,
  { sourceId, quote, timestampS }: RuleVersion,
): Promise<QuoteContext> {
  if (timestampS !== null) {
    const { from, until } = windowOf(timestampS);
    const window = await sources.segments(scope, sourceId, from, until);
    const marks = findInWindow(quote, window) ?? [];
    return {
      kind: 'meeting',
      segments: window.map(({ start_s, speaker, text }, index) => ({
        start_s,
        time: clock(start_s),
        speaker,
        text,
        mark: marks[index] ?? null,
      })),
    };
  }
  const content = await sources.text(scope, sourceId);
  if (content?.kind !== 'mail') return null;
  return { kind: 'mail', text: content.text, mark: findInText(quote, content.text) ?? { start: 0, end: 0 } };
}
