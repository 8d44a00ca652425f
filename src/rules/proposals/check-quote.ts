import { Failure } from '../../kernel/failure.ts';
import type { SourceReader } from '../ports.ts';
import { stands, windowOf, windowText } from './quote/find.ts';
import type { ProposalRequest } from './schema.ts';

/**
 * Whether the quote was checked: own words are not. `source-unknown` when the scope has no such source, `quote-not-found`
 * when the quote does not stand in it (contract 6.3).
 */
export async function checkQuote(
  sources: Pick<SourceReader, 'facts' | 'text' | 'segments'>,
  { scope, source }: ProposalRequest,
): Promise<boolean> {
  if (source.kind === 'manual') return false;
  if (!(await sources.facts(scope, source.id))) throw new Failure('source-unknown', 'the scope has no such source');
  if (!stands(source.quote, await searched(sources, scope, source))) {
    throw new Failure('quote-not-found', 'the quote does not stand in the source');
  }
  return true;
}

async function searched(
  sources: Pick<SourceReader, 'text' | 'segments'>,
  scope: string,
  source: Exclude<ProposalRequest['source'], { kind: 'manual' }>,
): Promise<string> {
  if (source.kind === 'jamie') {
    const { from, until } = windowOf(source.timestamp_s);
    return windowText(await sources.segments(scope, source.id, from, until));
  }
  const content = await sources.text(scope, source.id);
  return content?.kind === 'mail' ? content.text : '';
}
