/** Longest snippet in characters before it is cut (E280). */
const LENGTH = 200;

/**
 * A block's text around the first place where a term stands, trimmed, at most 200 characters and an ellipsis on each
 * cut side; cut at white space where there is some, never inside a surrogate pair (E280, F05).
 */
export function snippetOf(content: string, words: readonly string[]): string {
  const text = content.trim();
  if (text.length <= LENGTH) return text;
  const lower = text.toLowerCase();
  const found = words.map(word => lower.indexOf(word)).filter(at => at >= 0);
  const first = found.length > 0 ? Math.min(...found) : 0;
  const start = first <= LENGTH / 2 ? 0 : afterSpace(text, first - LENGTH / 2);
  const end = start + LENGTH >= text.length ? text.length : beforeSpace(text, start, start + LENGTH);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}

function afterSpace(text: string, from: number): number {
  const gap = text.slice(from, from + 40).search(/\s/u);
  return wholeCharacter(text, gap < 0 ? from : from + gap + 1);
}

function beforeSpace(text: string, start: number, end: number): number {
  const gap = text.slice(start, end + 1).search(/\s\S*$/u);
  return wholeCharacter(text, gap <= 0 ? end : start + gap);
}

function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
