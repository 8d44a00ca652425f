import { Failure } from '../../kernel/failure.ts';
import type { QuoteMatch } from '../model.ts';
import type { SourceReader } from '../ports.ts';
import { findInText, findInWindow, windowOf } from './quote/find.ts';
import type { ProposalRequest } from './schema.ts';

type Sources = Pick<SourceReader, 'facts' | 'text' | 'segments'>;
type Checked = Exclude<ProposalRequest['source'], { kind: 'manual' }>;

/**
 * Where the quote was found; undefined for own words, which are not checked. `source-unknown` when the scope has no such source,
 * `quote-not-found` when the quote does not stand in it (contract 6.3).
 */
export async function checkQuote(
  sources: Sources,
  { scope, source }: ProposalRequest,
): Promise<readonly QuoteMatch[] | undefined> {
  if (source.kind === 'manual') return undefined;
  if (!(await sources.facts(scope, source.id))) throw new Failure('source-unknown', 'the scope has no such source');
  const matches = await matchesIn(sources, scope, source);
  if (!matches) throw new Failure('quote-not-found', 'the quote does not stand in the source');
  return matches;
}

async function matchesIn(sources: Sources, scope: string, source: Checked): Promise<readonly QuoteMatch[] | undefined> {
  if (source.kind === 'jamie') {
    const { from, until } = windowOf(source.timestamp_s);
    const window = await sources.segments(scope, source.id, from, until);
    const spans = findInWindow(source.quote, window);
    return spans?.flatMap((span, at) => (span ? [{ part: window[at]!.n, start: span.start, stop: span.end }] : []));
  }
  const content = await sources.text(scope, source.id);
  const span = content?.kind === 'mail' ? findInText(source.quote, content.text) : undefined;
  return span && [{ part: 0, start: span.start, stop: span.end }];
}
