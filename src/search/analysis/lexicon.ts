import { dictionary } from '@zxcvbn-ts/language-de';
import { fold } from './fold.ts';
import { MORE_NOUNS, VERB_STEMS } from './more-parts.ts';
import { STOP_WORDS } from './stop-words.ts';

/** German words that may be parts of compounds. */
export interface WordList {
  /** Rank of a word by how often it is used, 0 the most; undefined for a word that is not in it. */
  (word: string): number | undefined;
  /** False only when it has no word of that hash: that costs much less than to cut a word out of another and look it up. */
  mayHave(hash: number): boolean;
  /** Whether it is the stem of a verb and no noun, which no compound ends with. */
  isStem(word: string): boolean;
}

/** Hash of a word, letter by letter, from `EMPTY_HASH` on. */
export const EMPTY_HASH = 0x811c_9dc5;
export const hashWith = (hash: number, letter: number): number => Math.imul(hash ^ letter, 0x0100_0193);

const FILTER_BITS = 2 ** 20;
const bitOf = (hash: number): number => (hash ^ (hash >>> 15)) & (FILTER_BITS - 1);

/** Nouns of two and three letters that are parts of compounds; other words that short are names, endings and noise. */
const SHORT_PARTS = new Set(
  `öl bau rad rat tür tor see tag hof amt gas weg zug uhr arm bad eis hut ort mut not rot bus gut akt art ast bar box bug
  typ ohr ohm zoo zoll app ton tee tal heu hai fuß ski rum uni web uv pkw lkw cad abs bio öko neu alt hoch rück
  fahr bahn`.split(/\s+/u),
);
const SHORTEST = 4;
/** Of words that no list ranks: known well, and stems of verbs less so, for they look like pieces of other words. */
const RANK_OF_NOUN = 8000;
const RANK_OF_STEM = 12_000;
/** Endings that lists of words hold as words. */
const ENDINGS = new Set(
  `tion tionen ation ationen ieren iert ierung igkeit keit keiten heit heiten schaft schaften lich liche lichen licher liches
  isch ische ischen ischer isches ungen lein chen ismus isten ität eren ende enden enden erin erinnen innen baren bare barer
  barkeit losen loser haft hafte haften sten ster stes ment ments enz anz ling linge end ender endes rung lung tung ster
  tern iten oren aren ihre ente erte enen inge isse este alen ahlen ilen alle eine icht sche schen scher
  sches nische nischen ionen ellen samen lern logie graphie ange anger vere here beste gebr inter miss trans ehen`.split(
    /\s+/u,
  ),
);

let kept: WordList | undefined;

/** The word list, read once a process: it is data of the package, the same for everyone. */
export function germanWords(): WordList {
  if (kept) return kept;
  const ranks = new Map<string, number>();
  const lists = [dictionary['commonWords'] ?? [], dictionary['wikipedia'] ?? []];
  for (const list of lists) {
    for (const [rank, word] of list.entries()) {
      if (!isPart(word)) continue;
      const known = ranks.get(word);
      if (known === undefined || rank < known) ranks.set(word, rank);
    }
  }
  for (const word of MORE_NOUNS) ranks.set(word, Math.min(RANK_OF_NOUN, ranks.get(word) ?? RANK_OF_NOUN));
  const stems = new Set(VERB_STEMS.filter(word => !ranks.has(word)));
  for (const word of stems) ranks.set(word, RANK_OF_STEM);
  for (const word of SHORT_PARTS) ranks.set(word, ranks.get(word) ?? 2000);
  const filter = new Uint8Array(FILTER_BITS / 8);
  for (const word of ranks.keys()) {
    let hash = EMPTY_HASH;
    for (let at = 0; at < word.length; at++) hash = hashWith(hash, word.charCodeAt(at));
    filter[bitOf(hash) >> 3]! |= 1 << (bitOf(hash) & 7);
  }
  kept = Object.assign((word: string) => ranks.get(word), {
    mayHave: (hash: number) => (filter[bitOf(hash) >> 3]! & (1 << (bitOf(hash) & 7))) !== 0,
    isStem: (word: string) => stems.has(word),
  });
  return kept;
}

function isPart(word: string): boolean {
  if (word.length < SHORTEST) return SHORT_PARTS.has(word);
  return !ENDINGS.has(word) && !STOP_WORDS.de.has(fold(word)) && !STOP_WORDS.en.has(word);
}
