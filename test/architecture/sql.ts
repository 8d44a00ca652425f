import { everyList, type Token } from './tokens.ts';

/**
 * Statement shapes: `~` is a name, a blank is white space, `…` anything. Keywords in capitals are SQL wherever they
 * stand; in lower or title case they are where a text begins, for prose says "select one from the list" as well.
 */
const SHAPES = [
  'select … from ~',
  'insert into ~',
  'insert or \\w+ into ~',
  'replace into ~',
  'update ~ set ~ =',
  'delete from ~',
  'create table ~',
  'create \\w+ table ~',
  'create index ~',
  'create \\w+ index ~',
  'create trigger ~',
  'create view ~',
  'alter table ~',
  'drop table ~',
  'drop index ~',
  'pragma ~',
  'vacuum into ~',
  'with … as \\( select',
];

const GRAMMAR: Readonly<Record<string, string>> = {
  ' ': '\\s+',
  '…': '[\\s\\S]+?',
  '~': '["`[]?[\\w$?.]+["`\\]]?(?:\\s+AS\\s+\\w+)?',
};
const cased = (shape: string, keyword: (word: string) => string): string =>
  shape
    .replace(/(?<!\\)\b[a-z]+/g, keyword)
    .replace(/ (?==|\\)|(?<=\() /g, '\\s*')
    .replace(/[ …~]/g, char => GRAMMAR[char]!);
const title = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

const PATTERNS = SHAPES.flatMap(shape => [
  new RegExp(`\\b${cased(shape, word => word.toUpperCase())}`),
  new RegExp(`^[\\s(]*${cased(shape, word => word)}`),
  new RegExp(`^[\\s(]*${cased(shape, title)}`),
]);

/** True for a text that holds a statement of SQL. */
export const isSql = (text: string): boolean => PATTERNS.some(pattern => pattern.test(text));

/** The texts of a module as they reach a caller: literals that are added up count as one. */
export function literals(tokens: readonly Token[]): { readonly text: string; readonly line: number }[] {
  return everyList(tokens).flatMap(list => {
    const found: { text: string; line: number }[] = [];
    for (const [index, token] of list.entries()) {
      if (token.kind !== 'text' && token.kind !== 'template') continue;
      const before = list[index - 2];
      const joined = list[index - 1]?.value === '+' && (before?.kind === 'text' || before?.kind === 'template');
      const last = found.at(-1);
      if (joined && last) last.text += token.value;
      else found.push({ text: token.value, line: token.line });
    }
    return found;
  });
}
