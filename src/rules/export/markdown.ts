const LINE_BREAK = /\r\n|[\r\u0085\u2028\u2029]/g;
/** Characters that make links, tags, headings in cells, code or cells (contract 4.4). */
const SPECIAL = /[\\`|[\]<>]/g;
/** What makes a heading, list, rule or fence of a line it begins. */
const LEADING = /^(\s*)([#+*=~_-]|\d{1,9}[.)])/;

const escaped = (text: string): string => text.replace(SPECIAL, '\\$&');

/** Text of others within a line or cell of ours. */
export const inline = (text: string | null): string =>
  text === null ? '–' : escaped(text.replace(LINE_BREAK, '\n').replace(/\s*\n\s*/g, ' '));

/** Text of others in a block of its own: quoted, line by line. */
export const quoted = (text: string): string =>
  text
    .replace(LINE_BREAK, '\n')
    .split('\n')
    .map(line => `> ${escaped(line).replace(LEADING, leading)}`.trimEnd())
    .join('\n');

const leading = (_all: string, space: string, mark: string): string =>
  /^\d/.test(mark) ? `${space}${mark.slice(0, -1)}\\${mark.slice(-1)}` : `${space}\\${mark}`;

/** A table; cells come escaped. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A list of names and values; values come escaped. */
export const facts = (pairs: readonly (readonly [name: string, value: string])[]): string =>
  pairs.map(([name, value]) => `- ${name}: ${value}`).join('\n');

/** Parts with an empty line between, and a line break at the end. */
export const file = (...parts: readonly string[]): string => `${parts.filter(part => part !== '').join('\n\n')}\n`;
