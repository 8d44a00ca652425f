import { keysOfWord, type Wanted } from '../../../search/index.ts';
import type { KnownTerm, PostingReader } from './posting-reader.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Compounds of words that the corpus has and no word list: names of products and people. */
export interface CorpusCompounds {
  /** Compounds that begin or end with the word, as far as the caller can see the other part as a word. */
  around(wanted: Wanted): KnownTerm[];
  /** Two words that the caller can see and that make up the word; none when it cannot be taken apart. */
  partsOf(wanted: Wanted): KnownTerm[];
}

const SHORTEST_PART = 3;
const MOST_LOOKED_AT = 200;
const MOST_COMPOUNDS = 24;
const LINKS = ['', 's', 'es', 'n', 'en'];

/** `visible` says whether the caller can see a document with the term; all that is found depends on nothing else. */
export function corpusCompounds(
  vocabulary: Vocabulary,
  postings: PostingReader,
  visible: (term: KnownTerm) => boolean,
): CorpusCompounds {
  function known(word: string): KnownTerm | undefined {
    if (word.length < SHORTEST_PART) return undefined;
    for (const key of [...keysOfWord(word), word]) {
      const term = postings.term(key);
      if (term && visible(term)) return term;
    }
    return undefined;
  }

  const first = (part: string): KnownTerm | undefined => {
    const links = LINKS.filter(link => part.endsWith(link));
    return links.map(link => known(part.slice(0, part.length - link.length))).find(term => term !== undefined);
  };
  const last = (part: string): KnownTerm | undefined => {
    const links = LINKS.filter(link => part.startsWith(link));
    return links.map(link => known(part.slice(link.length))).find(term => term !== undefined);
  };

  return {
    around({ word }) {
      const [key] = keysOfWord(word);
      const found: KnownTerm[] = [];
      for (const compound of vocabulary.around(key!).slice(0, MOST_LOOKED_AT)) {
        const other = compound.startsWith(key!)
          ? last(compound.slice(key!.length))
          : first(compound.slice(0, -key!.length));
        const term = other && postings.term(compound);
        if (term) found.push(term);
        if (found.length === MOST_COMPOUNDS) break;
      }
      return found;
    },
    partsOf({ word }) {
      for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at--) {
        const tail = known(word.slice(at));
        const head = tail && first(word.slice(0, at));
        if (head) return [head, tail];
      }
      return [];
    },
  };
}
