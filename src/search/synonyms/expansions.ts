import type { Language } from '../ports.ts';
import { BASE_GROUPS } from './groups.ts';

export interface Phrase {
  readonly words: readonly string[];
  /** Null for one of the configuration, which does not say. */
  readonly language: Language | null;
}

/** What else a question may say with other words. */
export interface Expansion {
  /** The words of the question, as the group spells them. */
  readonly phrase: string;
  /** The words of the question, as it spells them. */
  readonly said: readonly string[];
  /** Phrases of the same meaning that the question does not say. */
  readonly others: readonly Phrase[];
}

/** How texts become words, and by what two words are the same: any of their keys. */
export interface Reading {
  wordsOf(text: string): readonly string[];
  keysOf(word: string, language: Language | null): readonly string[];
}

export type Synonyms = (spoken: readonly string[]) => readonly Expansion[];

interface Entry extends Phrase {
  readonly name: string;
  readonly group: number;
  readonly keys: readonly ReadonlySet<string>[];
}

/**
 * Groups of phrases that mean the same, those of the configuration before the base list, made ready to be held against the words of
 * a question, which stand in order. A phrase is said when all of its words stand next to each other (rules contract 3, 7.2).
 */
export function synonyms(given: readonly (readonly string[])[], { wordsOf, keysOf }: Reading): Synonyms {
  const configured = given.map(group => group.map(text => ({ text, language: null })));
  const groups = [...configured, ...BASE_GROUPS.map(phrasesOfBase)].map((phrases, group) =>
    phrases.flatMap(({ text, language }): Entry[] => {
      const words = wordsOf(text);
      if (words.length === 0) return [];
      return [
        { words, language, name: words.join(' '), group, keys: words.map(word => new Set(keysOf(word, language))) },
      ];
    }),
  );
  const byFirstKey = new Map<string, Entry[]>();
  for (const entry of groups.flat()) {
    for (const key of entry.keys[0]!) {
      const known = byFirstKey.get(key);
      if (known) known.push(entry);
      else byFirstKey.set(key, [entry]);
    }
  }

  return spoken => {
    const spokenKeys = spoken.map(word => [...keysOf(word, null)]);
    const said = new Map<Entry, Set<string>>();
    for (const [at, keys] of spokenKeys.entries()) {
      for (const entry of new Set(keys.flatMap(key => byFirstKey.get(key) ?? []))) {
        if (!entry.keys.every((own, next) => spokenKeys[at + next]?.some(key => own.has(key)))) continue;
        const words = said.get(entry) ?? new Set();
        for (const word of spoken.slice(at, at + entry.words.length)) words.add(word);
        said.set(entry, words);
      }
    }
    const found = new Map<string, { said: Set<string>; others: Map<string, Phrase> }>();
    for (const [entry, words] of [...said].sort(([a], [b]) => a.group - b.group)) {
      const expansion = found.get(entry.name) ?? { said: new Set(), others: new Map() };
      for (const word of words) expansion.said.add(word);
      for (const other of groups[entry.group]!) if (!said.has(other)) expansion.others.set(other.name, other);
      found.set(entry.name, expansion);
    }
    return [...found].flatMap(([phrase, one]) =>
      one.others.size === 0 ? [] : [{ phrase, said: [...one.said], others: [...one.others.values()] }],
    );
  };
}

const phrasesOfBase = ({ de, en }: (typeof BASE_GROUPS)[number]) => [
  ...de.map(text => ({ text, language: 'de' as const })),
  ...en.map(text => ({ text, language: 'en' as const })),
];
