import type { LaneFilter, LexicalQuestion } from '../../../search/ports.ts';

/** What a reading thread is told when it starts. */
export interface ReaderData {
  /** The index file. */
  readonly path: string;
}

export interface Question {
  readonly question: LexicalQuestion;
  readonly filter: LaneFilter;
  readonly limit: number;
}
