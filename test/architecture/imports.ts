import { everyList, type Token } from './tokens.ts';

/** One edge out of a module. A `worker` is a module named by `new URL('./x.ts', import.meta.url)`, its ending computed or not. */
export interface Import {
  readonly kind: 'static' | 'dynamic' | 'reexport' | 'worker';
  readonly specifier: string;
  readonly line: number;
}

/** What a module takes in and gives out, and what it does that no check could follow. */
export interface ModuleShape {
  readonly imports: readonly Import[];
  /** Refused forms, each with its line: default exports, `export *`, `require`, computed imports. */
  readonly refused: readonly { readonly what: string; readonly line: number }[];
}

const isMark = (token: Token | undefined, value: string): boolean => token?.kind === 'mark' && token.value === value;
const isWord = (token: Token | undefined, value: string): boolean => token?.kind === 'word' && token.value === value;
const isText = (token: Token | undefined): token is Token =>
  token?.kind === 'text' || (token?.kind === 'template' && token.holes.length === 0);

/** Reads the edges and the refused forms of one module off its tokens. */
export function shapeOf(tokens: readonly Token[]): ModuleShape {
  const imports: Import[] = [];
  const refused: { what: string; line: number }[] = [];
  for (const list of everyList(tokens)) {
    for (const [index, token] of list.entries()) {
      if (token.kind !== 'word' || isMark(list[index - 1], '.') || isKey(list, index)) continue;
      if (token.value === 'import') readImport(list, index, imports, refused);
      else if (token.value === 'export') readExport(list, index, imports, refused);
      else if (token.value === 'URL') readWorker(list, index, imports);
      else if (token.value === 'require' && isMark(list[index + 1], '('))
        refused.push({ what: 'require', line: token.line });
    }
    for (const token of list) {
      if (['createRequire', 'getBuiltinModule'].includes(token.value) && token.kind === 'word')
        refused.push({ what: token.value, line: token.line });
    }
  }
  return { imports, refused };
}

const isKey = (list: readonly Token[], index: number): boolean =>
  isMark(list[index + 1], ':') && (isMark(list[index - 1], '{') || isMark(list[index - 1], ','));

function readImport(
  list: readonly Token[],
  index: number,
  imports: Import[],
  refused: { what: string; line: number }[],
): void {
  const { line } = list[index]!;
  const next = list[index + 1];
  if (isMark(next, '.')) return;
  if (isMark(next, '(')) {
    const target = list[index + 2];
    const whole = isText(target) && (isMark(list[index + 3], ')') || isMark(list[index + 3], ','));
    if (whole) imports.push({ kind: 'dynamic', specifier: target.value, line });
    else refused.push({ what: 'an import whose target is computed', line });
  } else if (isText(next)) imports.push({ kind: 'static', specifier: next.value, line });
  else {
    const target = fromClause(list, index + 1);
    if (target) imports.push({ kind: 'static', specifier: target.value, line });
  }
}

function readExport(
  list: readonly Token[],
  index: number,
  imports: Import[],
  refused: { what: string; line: number }[],
): void {
  const { line } = list[index]!;
  const open = index + (isWord(list[index + 1], 'type') ? 2 : 1);
  if (isWord(list[index + 1], 'default') || isMark(list[index + 1], '='))
    refused.push({ what: 'a default export', line });
  if (!isMark(list[open], '*') && !isMark(list[open], '{')) return;
  if (isMark(list[open], '*')) refused.push({ what: '`export *`', line });
  const close = isMark(list[open], '{') ? list.findIndex((token, at) => at > open && isMark(token, '}')) : open;
  const names = list.slice(open, close + 1);
  if (names.some((token, at) => isWord(token, 'as') && isWord(names[at + 1], 'default')))
    refused.push({ what: 'a default export', line });
  const afterStar = isWord(list[close + 1], 'as') ? close + 3 : close + 1;
  const target = isWord(list[afterStar], 'from') ? list[afterStar + 1] : undefined;
  if (isText(target)) imports.push({ kind: 'reexport', specifier: target.value, line });
}

function readWorker(list: readonly Token[], index: number, imports: Import[]): void {
  const target = list[index + 2];
  if (!isMark(list[index + 1], '(') || !target || !isMark(list[index + 3], ',')) return;
  const base = list.slice(index + 4, index + 9).map(token => token.value);
  // `./x.worker${extname(…)}` is the source file here and the built one in dist.
  const specifier = target.holes.length === 1 ? target.value.replace(/ \? $/, '.ts') : target.value;
  const named = base.join('').startsWith('import.meta.url') && /^\.{1,2}\/.*\.[cm]?[jt]s$/.test(specifier);
  if (named) imports.push({ kind: 'worker', specifier, line: target.line });
}

/** The specifier of `… from 'x'`, or nothing when the statement ends first. */
function fromClause(list: readonly Token[], start: number): Token | undefined {
  for (let at = start; at < list.length && !isMark(list[at], ';'); at += 1) {
    const target = list[at + 1];
    if (isWord(list[at], 'from') && isText(target)) return target;
  }
  return undefined;
}
