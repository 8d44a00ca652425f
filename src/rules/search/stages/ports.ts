import type { VectorSpace } from '../../../search/vectors/ports.ts';
import type { VisibleStatus } from '../../schema.ts';
import type { Candidate } from '../ports.ts';
import type { StageState } from '../schema.ts';

/** A rule as the two later stages read it. */
export interface RulePassage {
  readonly seq: number;
  readonly version: number;
  /** Statement, keywords and quote. */
  readonly text: string;
}

/** Vectors of the rules of a scope, in the scope's file. Rejected rules have none that is ever found. */
export interface RuleVectors {
  /** Rules whose newest version has no vector of this space. */
  missing(scope: string, space: VectorSpace, limit: number): Promise<readonly RulePassage[]>;
  put(
    scope: string,
    space: VectorSpace,
    rows: readonly { readonly passage: RulePassage; readonly vector: Float32Array }[],
  ): Promise<void>;
  /** By cosine, best first, ties by seq. */
  nearest(
    scope: string,
    space: VectorSpace,
    question: Float32Array,
    statuses: readonly VisibleStatus[],
    limit: number,
  ): Promise<readonly Candidate[]>;
}

/** What a stage found in one scope; null when it did not run, `state` says why. */
export interface StageOutcome<T> {
  readonly state: StageState;
  readonly found: T | null;
}

/** The stage by meaning (contract 7.8, b). One question may be asked of several scopes. */
export interface SemanticStage {
  /** Why it does not run in a scope; null when it does. */
  availability(scope: string): StageState | null;
  start(question: string): {
    run(scope: string, statuses: readonly VisibleStatus[], limit: number): Promise<StageOutcome<readonly Candidate[]>>;
  };
}

/** The stage that reads the best rules again (contract 7.8, c). */
export interface RerankingStage {
  availability(scope: string): StageState | null;
  /** Heads below it are no answer. */
  readonly threshold: number;
  /** One score a passage, 0 to 1. */
  run(question: string, passages: readonly string[]): Promise<StageOutcome<readonly number[]>>;
}

export interface LaterStages {
  readonly b?: SemanticStage;
  readonly c?: RerankingStage;
}
