export type Eol = '\n' | '\r\n' | '\r';

/** Offsets at which lines start; LF, CRLF and a lone CR each end one (deviations, E096). */
export function lineStarts(text: string): number[] {
  const starts = [0];
  let lf = text.indexOf('\n');
  if (text.indexOf('\r') === -1) {
    for (; lf !== -1; lf = text.indexOf('\n', lf + 1)) starts.push(lf + 1);
    return starts;
  }
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}

/** Index of the line that holds `offset`. */
export function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line ending most lines of `text` have; LF when it has none, the first of the table on a tie. */
export function dominantEol(text: string): Eol {
  if (text.indexOf('\r') === -1) return '\n';
  let [lf, crlf, cr] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 10) lf++;
    else if (unit === 13) {
      if (text.charCodeAt(at + 1) === 10) {
        crlf++;
        at++;
      } else cr++;
    }
  }
  if (lf >= crlf && lf >= cr) return '\n';
  return crlf >= cr ? '\r\n' : '\r';
}
