/** A piece of TypeScript that means something: comments and white space are gone, strings are decoded. */
export interface Token {
  readonly kind: 'word' | 'text' | 'template' | 'number' | 'regex' | 'mark';
  /** Decoded for `text` and `template` (a hole of a template reads ` ? `), as written otherwise. */
  readonly value: string;
  readonly line: number;
  /** The code in the holes of a template, hole by hole. */
  readonly holes: readonly (readonly Token[])[];
}

const SKIP = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\.?\d[\w.]*/y;
const TEXT = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const PIECE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const ESCAPE = /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r?\n)|([\s\S]))/g;
const SPACES = 'nrtvf';
/** After one of these a slash opens a regular expression; after any other word it divides. */
const BEFORE_REGEX = new Set(
  'return typeof case in of delete void throw new else do instanceof yield await'.split(' '),
);

/** Takes a whole module apart. Never fails: what cannot be read becomes single marks. */
export function tokenize(source: string): Token[] {
  return read(source, source.startsWith('#!') ? source.indexOf('\n') + 1 || source.length : 0, false).tokens;
}

function read(source: string, start: number, inHole: boolean): { tokens: Token[]; end: number } {
  const tokens: Token[] = [];
  let at = start;
  let depth = 0;
  const lineAt = lineCounter(source, start);
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const push = (kind: Token['kind'], value: string, length: number, holes: Token['holes'] = []): void => {
    tokens.push({ kind, value, line: lineAt(at), holes });
    at += length;
  };
  while (at < source.length) {
    const skipped = match(SKIP);
    if (skipped) {
      at += skipped.length;
      continue;
    }
    const char = source[at]!;
    if (inHole && char === '}' && depth === 0) return { tokens, end: at + 1 };
    const word = match(WORD);
    const number = word ? undefined : match(NUMBER);
    const text = match(TEXT);
    const regex = char === '/' && opensRegex(tokens.at(-1)) ? match(REGEX) : undefined;
    if (word) push('word', word, word.length);
    else if (number) push('number', number, number.length);
    else if (text)
      push('text', decode(text.slice(1, text.length > 1 && text.endsWith(char) ? -1 : undefined)), text.length);
    else if (regex) push('regex', regex, regex.length);
    else if (char === '`') {
      const template = readTemplate(source, at + 1);
      push('template', template.value, template.end - at, template.holes);
    } else {
      if (char === '{') depth += 1;
      if (char === '}') depth -= 1;
      push('mark', char, 1);
    }
  }
  return { tokens, end: at };
}

function readTemplate(source: string, start: number): { value: string; holes: Token[][]; end: number } {
  const pieces: string[] = [];
  const holes: Token[][] = [];
  let at = start;
  for (;;) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(source)?.[0] ?? '';
    pieces.push(decode(piece));
    at += piece.length;
    if (!source.startsWith('${', at)) return { value: pieces.join(' ? '), holes, end: Math.min(at + 1, source.length) };
    const hole = read(source, at + 2, true);
    holes.push(hole.tokens);
    at = hole.end;
  }
}

const opensRegex = (before: Token | undefined): boolean =>
  !before ||
  (before.kind === 'mark' && !')]}'.includes(before.value)) ||
  (before.kind === 'word' && BEFORE_REGEX.has(before.value));

const decode = (text: string): string =>
  text.replace(ESCAPE, (_all, point, four, two, newline, char: string) => {
    const code = (point ?? four ?? two) as string | undefined;
    if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    if (newline !== undefined) return '';
    return SPACES.includes(char) ? ' ' : char;
  });

function lineCounter(source: string, start: number): (offset: number) => number {
  let line = source.slice(0, start).split('\n').length;
  let seen = start;
  return offset => {
    for (; seen < offset; seen += 1) if (source[seen] === '\n') line += 1;
    return line;
  };
}

/** The token list and, after it, the lists in its template holes, however deep. */
export function everyList(tokens: readonly Token[]): (readonly Token[])[] {
  return [tokens, ...tokens.flatMap(token => token.holes.flatMap(hole => everyList(hole)))];
}
