import { keysOfWord } from './question.ts';
import { runsOf } from './runs.ts';

/** For each key the first word of a text that has it, in lower case. */
export function wordsOfKeys(text: string, keys: ReadonlySet<string>): Map<string, string> {
  const words = new Map<string, string>();
  for (const run of runsOf(text)) {
    for (const word of run) {
      for (const key of keysOfWord(word)) if (keys.has(key) && !words.has(key)) words.set(key, word);
    }
    if (words.size === keys.size) break;
  }
  return words;
}
