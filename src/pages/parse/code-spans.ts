/** Answers whether inline code touches a stretch of one line. */
export interface CodeSpans {
  /** Must be asked with ascending offsets; each line is looked at once. */
  touch(start: number, end: number): boolean;
}

/** Inline code of `text`: a run of backticks closes at the next run of equal length on its line (E124). */
export function codeSpans(text: string): CodeSpans {
  const none = text.indexOf('`') === -1;
  let lineEnd = 0;
  let spans: number[] = [];
  let next = 0;
  return {
    touch(start, end) {
      if (none) return false;
      if (start >= lineEnd) {
        const lineStart = backToBreak(text, start, lineEnd);
        lineEnd = start;
        while (lineEnd < text.length && !isBreak(text.charCodeAt(lineEnd))) lineEnd++;
        spans = spansOfLine(text, lineStart, lineEnd);
        next = 0;
      }
      while (next < spans.length && spans[next + 1]! <= start) next += 2;
      return next < spans.length && spans[next]! < end;
    },
  };
}

function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

function backToBreak(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && !isBreak(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Flat pairs of offsets, backticks included. */
function spansOfLine(text: string, start: number, end: number): number[] {
  const runs: number[] = [];
  const lastOfLength = new Map<number, number>();
  for (let at = text.indexOf('`', start); at !== -1 && at < end;) {
    let stop = at + 1;
    while (stop < end && text.charCodeAt(stop) === 96) stop++;
    lastOfLength.set(stop - at, runs.length);
    runs.push(at, stop);
    at = text.indexOf('`', stop);
  }
  const spans: number[] = [];
  for (let run = 0; run < runs.length; run += 2) {
    const length = runs[run + 1]! - runs[run]!;
    // A last run of its length closes nothing; knowing that beforehand keeps the search linear.
    if (lastOfLength.get(length) === run) continue;
    let close = run + 2;
    while (runs[close + 1]! - runs[close]! !== length) close += 2;
    spans.push(runs[run]!, runs[close + 1]!);
    run = close;
  }
  return spans;
}
