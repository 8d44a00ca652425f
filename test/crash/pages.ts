import { createHash } from 'node:crypto';

/** Pages that the crash tests write, and the one text each version of each page has. */
export const PAGES = Array.from({ length: 24 }, (_, n) =>
  n % 4 === 3 ? `loose-${n}.md` : `markdown/instances/note/p${n}.md`,
);

/** A word that stands in this version alone. */
export const wordOf = (pageId: string, version: number): string =>
  `w${createHash('sha256').update(`${pageId} ${version}`).digest('hex').slice(0, 20)}`;

/** Versions differ in length, so that a torn file shows; each text names its version. */
export function textOf(pageId: string, version: number): string {
  const lines = Array.from(
    { length: 1 + ((version * 7) % 40) },
    (_, n) => `line ${n} of version ${version} [[note::p${n}]]`,
  );
  return `---\ntype: instance\nskill: note\nid: ${pageId.slice(-9, -3).replaceAll('/', '-')}\n---\n\n${wordOf(pageId, version)}\n\n${lines.join('\n\n')}\n`;
}
