import { partsOf } from './parts.ts';

/** Longer texts say nothing more to a model: the longest input of those we know is a third of that. */
const LONGEST = 24_000;

/** What of a block is embedded: the page's title, the headings above it, its text. Empty when the block says nothing. */
export function passageOf(title: string, headings: readonly string[], content: string): string {
  const parts = [title, headings.join(' › '), content].map(part => part.trim());
  return wholeText(parts.filter((part, at) => part !== '' && parts.indexOf(part) === at).join('\n'));
}

/** What stands above a part must leave room for it in the shortest model. */
const LONGEST_HEAD = 240;

/**
 * The texts of a block: its passage, and for a long one the parts of it under the same title and headings, so that nothing is lost
 * in one vector or past the end of what a model reads. Each once; none when the block says nothing.
 */
export function passagesOf(title: string, headings: readonly string[], content: string): string[] {
  const whole = passageOf(title, headings, content);
  if (whole === '') return [];
  const head = wholeText([title, headings.join(' › ')].join('\n').slice(0, LONGEST_HEAD)).split('\n');
  const parts = partsOf(content.trim()).map(part => passageOf(head[0]!, head.slice(1), part));
  return [...new Set([whole, ...parts])];
}

/** Well-formed Unicode of bounded length, cut between characters, so that every service can read it (S24). */
export function wholeText(text: string): string {
  if (text.length <= LONGEST) return text.toWellFormed();
  const last = text.charCodeAt(LONGEST - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? LONGEST - 1 : LONGEST).toWellFormed();
}
