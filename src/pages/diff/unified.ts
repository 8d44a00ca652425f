import { changesBetween, linesOf, type Change } from './changes.ts';

const CONTEXT = 3;
const MOST_EDITS = 1500;

/** Two texts as a unified diff with three lines of context; '' when they are the same. */
export function unifiedDiff(fromName: string, toName: string, from: string, to: string): string {
  const [a, b] = [linesOf(from), linesOf(to)];
  const hunks = grouped(changesBetween(a, b, MOST_EDITS)).map(changes => hunk(a, b, changes));
  return hunks.length === 0 ? '' : `--- ${fromName}\n+++ ${toName}\n${hunks.join('')}`;
}

/** Changes whose context touches stand in one hunk. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group && change.fromStart - group.at(-1)!.fromEnd <= 2 * CONTEXT) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunk(a: readonly string[], b: readonly string[], changes: readonly Change[]): string {
  const [first, last] = [changes[0]!, changes.at(-1)!];
  const before = Math.min(CONTEXT, first.fromStart);
  const after = Math.min(CONTEXT, a.length - last.fromEnd);
  const lines: string[] = [];
  let at = first.fromStart - before;
  for (const change of changes) {
    lines.push(...marked(' ', a.slice(at, change.fromStart)));
    lines.push(...marked('-', a.slice(change.fromStart, change.fromEnd)));
    lines.push(...marked('+', b.slice(change.toStart, change.toEnd)));
    at = change.fromEnd;
  }
  lines.push(...marked(' ', a.slice(at, at + after)));
  const place = (start: number, end: number): string => {
    const [line, count] = [start - before, end - start + before + after];
    return `${count === 0 ? line : line + 1},${count}`;
  };
  return `@@ -${place(first.fromStart, last.fromEnd)} +${place(first.toStart, last.toEnd)} @@\n${lines.join('')}`;
}

const marked = (mark: string, lines: readonly string[]): string[] =>
  lines.map(line => mark + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`));
