import type { Stretch } from '../ports.ts';

export interface Excerpt {
  readonly text: string;
  readonly mark: Stretch;
  /** UTF-16 units left out on either side. */
  readonly before: number;
  readonly after: number;
}

/** How far a cut may be moved to fall between two lines or words. */
const SLACK = 200;

/** The part of a text around a stretch: `reach` UTF-16 units on either side, give or take a line. */
export function excerptOf(text: string, mark: Stretch, reach: number): Excerpt {
  const from = mark.start <= reach ? 0 : cutAfter(text, mark.start - reach, mark.start);
  const until = text.length - mark.end <= reach ? text.length : cutBefore(text, mark.end + reach, mark.end);
  return {
    text: text.slice(from, until),
    mark: { start: mark.start - from, end: mark.end - from },
    before: from,
    after: text.length - until,
  };
}

function cutAfter(text: string, at: number, most: number): number {
  const near = text.slice(at, Math.min(at + SLACK, most));
  const line = near.indexOf('\n');
  const space = near.search(/\s/);
  const found = line >= 0 ? line : space;
  return found >= 0 ? at + found + 1 : whole(text, at);
}

function cutBefore(text: string, at: number, least: number): number {
  const from = Math.max(at - SLACK, least);
  const near = text.slice(from, at);
  const line = near.lastIndexOf('\n');
  const space = near.search(/\s\S*$/);
  const found = line >= 0 ? line : space;
  return found >= 0 ? from + found : whole(text, at);
}

/** Not between the halves of a surrogate pair. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at);
