/** Longer texts say nothing more to a model: the longest input of those we know is a third of that. */
const LONGEST = 24_000;

/** What of a block is embedded: the page's title, the headings above it, its text. Empty when the block says nothing. */
export function passageOf(title: string, headings: readonly string[], content: string): string {
  const parts = [title, headings.join(' › '), content].map(part => part.trim());
  return wholeText(parts.filter((part, at) => part !== '' && parts.indexOf(part) === at).join('\n'));
}

/** Well-formed Unicode of bounded length, cut between characters, so that every service can read it (S24). */
export function wholeText(text: string): string {
  if (text.length <= LONGEST) return text.toWellFormed();
  const last = text.charCodeAt(LONGEST - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? LONGEST - 1 : LONGEST).toWellFormed();
}
