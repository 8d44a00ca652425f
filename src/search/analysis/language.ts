import type { Language } from '../ports.ts';
import { plain } from './fold.ts';
import { STOP_WORDS } from './stop-words.ts';

/** Enough to tell the language of a long text. */
const WORDS_TO_LOOK_AT = 400;
const GERMAN_LETTERS = /[äöüß]/u;

/** Language of words by the small words among them and by umlauts; null when they say neither. */
export function languageOf(runs: readonly (readonly string[])[]): Language | null {
  let german = 0;
  let english = 0;
  let seen = 0;
  for (const run of runs) {
    for (const word of run) {
      const de = STOP_WORDS.de.has(plain(word));
      const en = STOP_WORDS.en.has(word);
      if (de && !en) german += 2;
      else if (en && !de) english += 2;
      else if (GERMAN_LETTERS.test(word)) german += 1;
    }
    seen += run.length;
    if (seen >= WORDS_TO_LOOK_AT) break;
  }
  return german === english ? null : german > english ? 'de' : 'en';
}
