import type { Segment } from '../../model.ts';
import { locate, normalise, type Span } from './normalise.ts';

/** A normalised quote shorter than this is never found (contract 6.3). */
const MIN_LENGTH = 20;
/** How far from the given second a meeting is searched, each way. */
const WINDOW_S = 120;

/** The seconds of a meeting in which a quote must have been said, both ends included. */
export const windowOf = (timestampS: number): { readonly from: number; readonly until: number } => ({
  from: timestampS - WINDOW_S,
  until: timestampS + WINDOW_S,
});

/** The text of a window: its segments in order; speakers are no part of it. */
const windowText = (window: readonly Segment[]): string => window.map(segment => segment.text).join(' ');

function match(quote: string, text: string): Span | undefined {
  const wanted = normalise(quote);
  if (wanted.length < MIN_LENGTH) return undefined;
  const start = normalise(text).indexOf(wanted);
  return start < 0 ? undefined : { start, end: start + wanted.length };
}

/** Where in the text as it was received the quote first stands. */
export function findInText(quote: string, text: string): Span | undefined {
  const found = match(quote, text);
  return found && locate(text, found);
}

/** The same over the segments of a window: the quote's part in each, or null. Undefined when it does not stand there. */
export function findInWindow(quote: string, window: readonly Segment[]): readonly (Span | null)[] | undefined {
  const found = findInText(quote, windowText(window));
  if (!found) return undefined;
  let offset = 0;
  return window.map(({ text }) => {
    const span = { start: Math.max(0, found.start - offset), end: Math.min(text.length, found.end - offset) };
    offset += text.length + 1;
    return span.start < span.end ? span : null;
  });
}
