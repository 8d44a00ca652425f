import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { TextFile } from './tracked.ts';

const LINK = /\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm;

const FENCED = /^ *(`{3,}|~{3,})[\s\S]*?^ *\1/gm;

/** The fragment a heading is reached by: lower case, punctuation gone, blanks as hyphens. */
const fragmentOf = (heading: string): string =>
  heading
    .replace(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const fragmentsOf = (text: string): Set<string> => {
  const seen = new Map<string, number>();
  return new Set(
    [...text.replace(FENCED, '').matchAll(/^#{1,6} (.+)$/gm)].map(match => {
      const fragment = fragmentOf(match[1]!);
      const times = seen.get(fragment) ?? 0;
      seen.set(fragment, times + 1);
      return times === 0 ? fragment : `${fragment}-${times}`;
    }),
  );
};

/** Relative links of a markdown file that lead nowhere: no file, or no such heading in it. */
export function brokenLinks(root: string, file: TextFile, read: (path: string) => string): string[] {
  return [
    ...file.text
      .replace(FENCED, '')
      .replace(/`[^`\n]*`/g, '')
      .matchAll(LINK),
  ].flatMap(match => {
    const link = match[1] ?? match[2]!;
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return [];
    const [path = '', fragment] = link.split('#');
    const target = path === '' ? file.path : normalize(join(dirname(file.path), decodeURIComponent(path)));
    if (target.startsWith('..') || !existsSync(join(root, target))) return [`${file.path}: ${link} is not there`];
    if (fragment === undefined || statSync(join(root, target)).isDirectory()) return [];
    return fragmentsOf(read(target)).has(fragment) ? [] : [`${file.path}: ${link} names no heading`];
  });
}
