import type { LaneFilter, LaneHit } from '../ports.ts';

/** What vectors must share to be compared: the model, its exact files or release, and how many numbers a vector has. */
export interface VectorSpace {
  /** Name of the model, or of the provider that has none. */
  readonly model: string;
  /** Changes whenever the same text would get another vector: a checksum of the files, a release, a way of preparing text. */
  readonly revision: string;
  readonly dim: number;
  /** False: vectors know spelling, not meaning, and are never called semantic. */
  readonly semantic: boolean;
  /** Languages that the model knows, as ISO 639-1 or "multilingual"; absent: all of them, or nobody knows. */
  readonly languages?: readonly string[];
}

/** The result for one text: its vector of length 1, or why this text, and not the embedder, is at fault. */
export type Embedded = { readonly vector: Float32Array } | { readonly poison: string };

/**
 * Turns text into vectors of length 1. Any Unicode text is fine; too long a text is cut. Rejects with an EmbedderFault when the
 * embedder itself is at fault. A text's vector does not depend on the texts beside it.
 */
export interface Embedder {
  readonly space: VectorSpace;
  /** Whether native code of this process does it, so that a crash there ends everything. */
  readonly inProcess?: boolean;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** One result a text, in order. */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly Embedded[]>;
  close(): Promise<void>;
}

/** A question in the space in which it is to be answered. It may be kept and asked again; `text` serves when the space went. */
export interface QuestionVector {
  readonly text: string;
  /** `spaceKey` of the vectors it can be compared with; belongs into every cache key. */
  readonly space: string;
  readonly values: Float32Array;
}

/** How similar a question is to blocks picked at random: what a similarity says by itself differs from model to model. */
export interface Background {
  readonly mean: number;
  /** Above 0. */
  readonly deviation: number;
}

export interface VectorLaneState {
  /**
   * `off`: no vectors are wanted. `down`: the embedder cannot be used and no older vectors serve. `loading`: stored vectors are
   * being read. `filling`: it answers, and some blocks have no vector yet. `ready`: every block has one.
   */
  readonly state: 'off' | 'down' | 'loading' | 'filling' | 'ready';
  /** What answers at the moment; null when nothing does. While a new model fills up this is the old one. */
  readonly serving: VectorSpace | null;
  /** Blocks that have a vector in what is served, and all blocks. */
  readonly done: number;
  readonly total: number;
}

/** Finds blocks by vectors. The filter is applied inside, so that a small scope never comes back falsely empty. */
export interface VectorLane {
  /** Null while nothing answers. Rejects only when `signal` fires; a failing embedder is logged and answers null. */
  question(text: string, signal?: AbortSignal): Promise<QuestionVector | null>;
  /**
   * The best blocks, `score` being the cosine, -1 to 1 (E282). Best first, ties by page id and anchor. A question of a space that
   * no longer serves is embedded again, so vectors of two models are never mixed. Rejects with `overloaded` when too many wait, and when
   * `signal` fires.
   */
  search(
    question: QuestionVector,
    filter: LaneFilter,
    limit: number,
    signal?: AbortSignal,
  ): Promise<readonly LaneHit[]>;
  /**
   * Over one sample of at most 256 vectors of the serving generation, always the same while they stay, whoever asks: fusion needs
   * it for every question. Null with fewer than 16 vectors or when all are alike.
   */
  background(question: QuestionVector): Promise<Background | null>;
  /** Cheap. */
  state(): VectorLaneState;
}
