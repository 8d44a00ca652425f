import { finding, type Finding } from './finding.ts';

const MOST_LINES = 200_000;
const MOST_LINKS = 50_000;

/**
 * The finding about a text that would make more blocks or links than one page can be read back with; null for any other.
 * Counted before anything is parsed, since parsing such a text would keep everybody else waiting.
 */
export function sizeFinding(content: string): Finding | null {
  const problem = sizeProblem(content);
  if (problem === null) return null;
  const suggestion = 'split it into several pages that link to each other';
  return finding('error', 'page_too_large', 'content', problem, { suggestion, blocking: true });
}

/** The same in words. */
export function sizeProblem(content: string): string | null {
  // A line has at least one character and a link five.
  if (content.length < MOST_LINES) return null;
  const lines = breaks(content) >= MOST_LINES ? `${MOST_LINES} lines` : null;
  const most = lines ?? (links(content) > MOST_LINKS ? `${MOST_LINKS} links` : null);
  return most === null ? null : `a page holds at most ${most}`;
}

function breaks(content: string): number {
  let count = 0;
  for (let at = 0; at < content.length && count < MOST_LINES; at++) {
    const unit = content.charCodeAt(at);
    if (unit === 10 || (unit === 13 && content.charCodeAt(at + 1) !== 10)) count++;
  }
  return count;
}

/** Links as far as their brackets go, code or not. */
function links(content: string): number {
  let count = 0;
  for (const _ of content.matchAll(/\[\[[^[\]\r\n]+\]\]/g)) if (++count > MOST_LINKS) break;
  return count;
}
