import { everyList, type Token } from '../architecture/tokens.ts';

/** A rule id and where it stands, as `path:line`. */
export interface Place {
  readonly id: string;
  readonly at: string;
}

const RULE = /^(?:[-*] )?[*`]{0,2}([A-Z]{2}\d+)\b/;
const CITED = /\[([A-Z]{2}\d+(?:\s*,\s*[A-Z]{2}\d+)*)\]/g;
const RUNNERS = new Set(['test', 'it']);

/** The numbered rules of one SPEC file: lines that begin with an id. */
export const rulesOf = (path: string, text: string): Place[] =>
  text.split('\n').flatMap((line, index) => {
    const id = RULE.exec(line)?.[1];
    return id ? [{ id, at: `${path}:${index + 1}` }] : [];
  });

/** The ids in square brackets in the names of a file's tests, `test.each(…)('[AB1] …')` and the like included. */
export const citationsOf = (path: string, tokens: readonly Token[]): Place[] =>
  namesIn(tokens).flatMap(({ value, line }) => {
    const ids = [...value.matchAll(CITED)].flatMap(match => match[1]!.split(/\s*,\s*/));
    return ids.map(id => ({ id, at: `${path}:${line}` }));
  });

/** The names of a file's tests, templates as they are written. */
export const testNamesOf = (tokens: readonly Token[]): string[] => namesIn(tokens).map(({ value }) => value);

const namesIn = (tokens: readonly Token[]): Token[] =>
  everyList(tokens).flatMap(list =>
    list.filter((token, index) => (token.kind === 'text' || token.kind === 'template') && namesTest(list, index)),
  );

/** Whether the text at `index` is the first argument of a call that starts with `test` or `it`. */
function namesTest(list: readonly Token[], index: number): boolean {
  let at = index - 1;
  if (list[at]?.value !== '(' || list[at]?.kind !== 'mark') return false;
  for (at -= 1; at >= 0; at -= 1) {
    const token = list[at]!;
    if (token.value === ')' && token.kind === 'mark') at = opening(list, at);
    else if (token.kind === 'word' && list[at - 1]?.value !== '.') return RUNNERS.has(token.value);
    else if (token.kind !== 'word' && token.value !== '.' && token.kind !== 'template') return false;
  }
  return false;
}

function opening(list: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at -= 1) {
    if (list[at]!.kind !== 'mark') continue;
    if (list[at]!.value === ')') depth += 1;
    if (list[at]!.value === '(') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** What is wrong between rules and citations, one line a fault. Finding no rule or no citation is a fault. */
export function mismatches(rules: readonly Place[], citations: readonly Place[]): string[] {
  const cited = new Set(citations.map(place => place.id));
  const ruled = new Map<string, string>();
  const repeated = rules.flatMap(({ id, at }) => {
    const first = ruled.get(id);
    ruled.set(id, first ?? at);
    return first ? [`${at}: ${id} already stands at ${first}`] : [];
  });
  return [
    ...(rules.length === 0 ? ['found no rule'] : []),
    ...(citations.length === 0 ? ['found no citation'] : []),
    ...repeated,
    ...rules.filter(({ id }) => !cited.has(id)).map(({ id, at }) => `${at}: ${id} is cited by no test`),
    ...citations.filter(({ id }) => !ruled.has(id)).map(({ id, at }) => `${at}: ${id} is no rule`),
  ];
}
