import { z } from 'zod';
import { germanWords, keyOf, splitCompound } from '../../../search/analysis/index.ts';
import { synonyms } from '../../../search/synonyms/index.ts';
import type { RuleVersion } from '../../model.ts';
import type { Expansion } from './query.ts';
import type { LexicalSettings } from './settings.ts';
import { codesIn, folded, wordsOf } from './words.ts';

/** Changes with every change of what is stored for the same rule. */
const VERSION = 1;
/** Words whose stems are kept. */
const KEPT = 50_000;

/** How words of rules and questions are read; the same for both. */
export interface Analysis {
  readonly settings: LexicalSettings;
  /** Tables filled by another build are filled anew (contract 4.1). */
  readonly build: string;
  /** What a word is found by beyond its letters: its stem in each language; itself where stems are off. Never empty. */
  stemsOf(word: string): readonly string[];
  /** Parts of a compound, none for any other word. */
  partsOf(word: string): readonly string[];
  /** Synonyms of the words of a question, matched word by word, in any case; none where they are off. */
  expansionsOf(spoken: readonly string[]): readonly Expansion[];
  /** The texts of a rule as they are indexed, by field. */
  textsOf(rule: SearchedRule): IndexedTexts;
}

type SearchedRule = Pick<RuleVersion, 'keywords' | 'statement' | 'relations' | 'quote'>;

type Fields = Readonly<Record<'keywords' | 'statement' | 'relations' | 'quote', string>>;
export interface IndexedTexts {
  /** As they are. */
  readonly plain: Fields;
  /** Words and codes, folded. */
  readonly words: Fields;
  /** Stems, those of compound parts included. */
  readonly stems: Fields;
}

export function createAnalysis(settings: LexicalSettings): Analysis {
  const { features, languages } = settings;
  const expand = features.synonyms
    ? synonyms(settings.synonyms, { wordsOf, keysOf: word => [folded(word)] })
    : () => [];
  const stems = new Map<string, { stems: readonly string[]; parts: readonly string[] }>();

  function look(word: string) {
    const known = stems.get(word);
    if (known) return known;
    if (stems.size >= KEPT) stems.clear();
    const parts =
      features.decompound && languages.includes('de') ? [...new Set(splitCompound(word, germanWords()))] : [];
    const found = { stems: stemmed(word), parts };
    stems.set(word, found);
    return found;
  }
  const stemmed = (word: string): string[] =>
    features.stem ? [...new Set(languages.map(language => folded(keyOf(word, language))))] : [folded(word)];

  const analysis: Analysis = {
    settings,
    build: JSON.stringify({
      version: VERSION,
      languages: [...languages].sort(),
      ...Object.fromEntries((['stem', 'decompound', 'normalize', 'trigram'] as const).map(key => [key, features[key]])),
    }),
    stemsOf: word => look(word).stems,
    partsOf: word => look(word).parts,
    expansionsOf: spoken =>
      expand(spoken).map(({ phrase, others }) => ({ words: phrase, others: others.map(({ words }) => words) })),
    textsOf({ keywords, statement, relations, quote }) {
      const plain = {
        keywords: keywords.join(' '),
        statement,
        relations: relations.map(({ kind, name }) => `${kind} ${name}`).join(' '),
        quote,
      };
      return { plain, words: each(plain, indexedWords), stems: each(plain, indexedStems) };
    },
  };

  const indexedWords = (text: string): string =>
    [...wordsOf(text).map(folded), ...(features.normalize ? codesIn(text) : [])].join(' ');
  const indexedStems = (text: string): string =>
    wordsOf(text)
      .flatMap(word => {
        const { stems: own, parts } = look(word);
        return [...new Set([...own, ...parts.flatMap(part => look(part).stems)])];
      })
      .join(' ');
  return analysis;
}

const Build = z
  .object({
    version: z.literal(VERSION),
    languages: z.array(z.enum(['de', 'en'])).min(1),
    stem: z.boolean(),
    decompound: z.boolean(),
    normalize: z.boolean(),
    trigram: z.boolean(),
  })
  .strict();

/**
 * The analysis of another build: these settings but for what was stored otherwise then. Undefined for a build that this version
 * does not have.
 */
export function analysisOf(build: string, settings: LexicalSettings): Analysis | undefined {
  const read = Build.safeParse(jsonOf(build));
  if (!read.success) return undefined;
  const { version: _, languages, ...features } = read.data;
  return createAnalysis({ ...settings, languages, features: { ...settings.features, ...features } });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same settings for texts that are only there as they are: words, whole or from their beginning, and nothing else. */
export const wordsAlone = (settings: LexicalSettings): Analysis =>
  createAnalysis({
    ...settings,
    features: { ...settings.features, stem: false, decompound: false, normalize: false, trigram: false },
  });

const each = (fields: Fields, map: (text: string) => string): Fields => ({
  keywords: map(fields.keywords),
  statement: map(fields.statement),
  relations: map(fields.relations),
  quote: map(fields.quote),
});
