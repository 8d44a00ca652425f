import { isStopword, type Language } from '../stopwords.ts';
import { wordsOf } from './words.ts';

/** A word of a text that may say what it is about. */
export interface ContentWord {
  readonly word: string;
  /** How often it stands there. */
  readonly count: number;
  /** Written with a capital within a sentence, or in capitals: a name, a German noun, a code. */
  readonly marked: boolean;
}

/** The words of a text that are no stop words, each once, in the order in which they first stand, and how many there are in all. */
export function contentOf(
  text: string,
  languages: readonly Language[],
): { readonly words: readonly ContentWord[]; readonly total: number } {
  const found = new Map<string, { count: number; marked: boolean }>();
  let total = 0;
  const written = text.normalize('NFKC');
  for (const match of written.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [spelled] = match;
    for (const word of wordsOf(spelled)) {
      if (isStopword(word, languages)) continue;
      total += 1;
      const marked = isMarked(spelled, written, match.index);
      const known = found.get(word);
      if (known) {
        known.count += 1;
        known.marked ||= marked;
      } else found.set(word, { count: 1, marked });
    }
  }
  return { words: [...found].map(([word, rest]) => ({ word, ...rest })), total };
}

function isMarked(spelled: string, text: string, at: number): boolean {
  if (/\p{N}/u.test(spelled) && /\p{L}/u.test(spelled)) return true;
  if (/^\p{Lu}{2,}$/u.test(spelled)) return true;
  return /^\p{Lu}/u.test(spelled) && !/(?:^|[.!?:\n])[\s"'„“»«(>*-]*$/u.test(text.slice(Math.max(0, at - 12), at));
}

const HEADER = /^\s*[>|]*\s*\*?(?:von|an|cc|bcc|gesendet|datum|betreff|from|to|sent|date|subject)\*?\s*:/iu;
const GREETING =
  /^\s*(?:(?:sehr )?geehrte[rs]?|liebe[rs]?|hallo|hi|hey|guten (?:tag|morgen|abend)|moin|servus|dear|hello|good (?:morning|afternoon|evening))(?:\s+[\p{L}.'-]+){0,5}\s*[,!.]?\s*$/iu;
const CLOSING =
  /^\s*(?:mit (?:freundlichen|besten|vielen|herzlichen) (?:grüßen|gruessen)|(?:viele|beste|liebe|freundliche|schöne|herzliche) (?:grüße|gruesse)|mfg|vg|lg|(?:kind|best|warm) regards|regards|yours (?:sincerely|faithfully)|sincerely|cheers|best wishes|-- ?$|_{5,}|gesendet von meinem|sent from my)/iu;

/** A longer line is no greeting, and patterns are tried on short ones only. */
const LONGEST_LINE = 160;

/** A mail without what frames it: headers, quoted lines, the greeting, and everything from the closing words on. */
export function withoutMailFrame(text: string): string {
  const kept: string[] = [];
  let said = false;
  for (const line of text.split(/\r\n?|\n/u)) {
    const short = line.length <= LONGEST_LINE ? line : '';
    if (CLOSING.test(short) && said) break;
    if (HEADER.test(short) || GREETING.test(short) || line.trimStart().startsWith('>')) continue;
    kept.push(line);
    said ||= line.trim() !== '';
  }
  const body = kept.join('\n');
  return body.trim() === '' ? text : body;
}
