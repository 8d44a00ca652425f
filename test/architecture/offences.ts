import { cycles } from './cycles.ts';
import { followTable } from './follow-table.ts';
import { isSql, literals } from './sql.ts';
import { readTree, type Module } from './tree.ts';

export const MAX_LINES = 600;
export const MAX_MEDIAN = 120;

/** Everything that is wrong with the tree of sources at `root`, one line an offence. Nothing to look at is one too. */
export function offences(root: string): string[] {
  const modules = readTree(root);
  if (modules.length === 0) return [`${root}: looked at no file`];
  return [
    ...followTable(modules),
    ...cycles(modules),
    ...modules.flatMap(refusedForms),
    ...modules.flatMap(sqlOutsideStorage),
    ...modules.flatMap(tooLong),
    ...medianTooLong(modules),
  ];
}

const linesOf = (module: Module): number => module.text.replace(/\n$/, '').split('\n').length;

/** A file over the limit. */
export const tooLong = (module: Module): string[] =>
  linesOf(module) > MAX_LINES ? [`${module.path}: ${linesOf(module)} lines, over ${MAX_LINES}`] : [];

function medianTooLong(modules: readonly Module[]): string[] {
  const sizes = modules.map(linesOf).toSorted((a, b) => a - b);
  const median = sizes[Math.floor((sizes.length - 1) / 2)]!;
  return median > MAX_MEDIAN ? [`the median file has ${median} lines, over ${MAX_MEDIAN}`] : [];
}

const ESCAPES = /architecture-ignore|no-restricted-imports|@ts-nocheck|(?:ox|es)lint-disable(?!-next-line|-line)/;

function refusedForms(module: Module): string[] {
  const escape = ESCAPES.exec(module.text)?.[0];
  return [
    ...module.refused.map(({ what, line }) => `${module.path}:${line}: ${what} is refused`),
    ...(escape ? [`${module.path}: ${escape} switches a rule off`] : []),
  ];
}

function sqlOutsideStorage(module: Module): string[] {
  if (module.path.startsWith('storage/')) return [];
  return literals(module.tokens)
    .filter(literal => isSql(literal.text))
    .map(literal => `${module.path}:${literal.line}: SQL outside storage`);
}
