import { analysisOf, wordsAlone, type Analysis } from '../../../../rules/search/lexical/index.ts';
import type { Db } from '../connect.ts';

/**
 * How a scope can be searched at a moment. `lex`: by the lexical tables, as `analysis` filled them. `texts`: those are not there
 * for what this version can ask, so by the plain texts in rule_fts, which every write keeps, with words alone.
 */
export interface Reading {
  readonly tables: 'lex' | 'texts';
  readonly analysis: Analysis;
}

export interface Readings {
  now(): Reading;
  /** The analysis of a build that `now` named before. */
  analysisOf(build: string): Analysis;
}

/** `wanted`: how tables are read once they are filled anew. Sees what its connection sees. */
export function readingsOf(db: Db, wanted: Analysis): Readings {
  const stored = db.prepare<[], string>('SELECT build FROM lex_meta').pluck();
  const plain = wordsAlone(wanted.settings);
  const known = new Map<string, Reading>([[wanted.build, { tables: 'lex', analysis: wanted }]]);
  const texts: Reading = { tables: 'texts', analysis: plain };

  function of(build: string): Reading {
    const seen = known.get(build);
    if (seen) return seen;
    const analysis = analysisOf(build, wanted.settings);
    // An analysis that would fill them otherwise is not the one that did.
    const reading: Reading = analysis?.build === build ? { tables: 'lex', analysis } : texts;
    known.set(build, reading);
    return reading;
  }

  return {
    now() {
      const build = stored.get();
      return build === undefined ? texts : of(build);
    },
    analysisOf: build => (build === plain.build ? plain : of(build).analysis),
  };
}
