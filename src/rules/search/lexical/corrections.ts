import { editDistance } from '../../../search/analysis/index.ts';
import type { VocabularyOfScope } from './ports.ts';
import { startsAt } from './prefix.ts';
import { folded } from './words.ts';

/** A word this long is no accident: it may be a typing error of one that the rules have. */
const SHORTEST_TO_CORRECT = 5;
const LONG_WORD = 9;
const MAX_CORRECTIONS = 3;

/** Words of the scope that such a word was probably meant to be: near, frequent ones first (contract 7.2). */
export async function correctionsOf(
  vocabulary: VocabularyOfScope,
  word: string,
  spellings: readonly (readonly string[])[],
): Promise<string[]> {
  const plain = folded(word);
  if (plain.length < SHORTEST_TO_CORRECT || /\p{N}/u.test(plain)) return [];
  const most = plain.length >= LONG_WORD ? 2 : 1;
  const neighbours = await vocabulary.beginning(plain.slice(0, 2));
  // A longer word that begins like it is found as it is.
  const beginnings = spellings.flatMap(([first]) => (first !== undefined && startsAt([first]) ? [folded(first)] : []));
  if (neighbours.some(one => beginnings.some(beginning => one.word.startsWith(beginning)))) return [];
  return neighbours
    .filter(({ word: other }) => Math.abs(other.length - plain.length) <= most && !/\p{N}/u.test(other))
    .map(one => ({ ...one, distance: editDistance(plain, one.word, most) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance || b.rules - a.rules || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_CORRECTIONS)
    .map(one => one.word);
}
