import { refuse } from '../exit.ts';
import type { OpsAnswer } from './client.ts';

/**
 * Ends a command with the operator's answer: with --json the whole of it on stdout, else words for people on stderr; a refusal
 * is also one line on stderr, exit 1.
 */
export function report(answer: OpsAnswer, json: boolean, words: (body: OpsAnswer['body']) => string): void {
  if (json) process.stdout.write(`${JSON.stringify(answer.body, null, 2)}\n`);
  if (!answer.ok) return refuse(refusalOf(answer.body));
  if (!json) process.stderr.write(words(answer.body));
}

function refusalOf({ error, message, remedy, request_id }: OpsAnswer['body']) {
  const parts = [message ?? `a fault of the server, request ${String(request_id)}`, remedy];
  return { code: String(error), message: parts.filter(part => part !== undefined).join('; ') };
}

/** Rows in columns. Characters that a terminal would act upon are shown as a sign. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]!.length)));
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  ');
  return rows.map(row => `${line(row.map(printable)).trimEnd()}\n`).join('');
}

export const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\u{fffd}');
