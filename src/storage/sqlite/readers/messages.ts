import type { LaneFilter, LexicalAnswer, LexicalQuestion } from '../../../search/ports.ts';

/** What a reading thread is told when it starts. */
export interface ReaderData {
  /** The index file. */
  readonly path: string;
}

export interface Asked {
  readonly id: number;
  readonly question: LexicalQuestion;
  readonly filter: LaneFilter;
  readonly limit: number;
}

export type Answered =
  | { readonly id: number; readonly answer: LexicalAnswer }
  | { readonly id: number; readonly error: string };
