import type { CandidatesAsked } from './candidates.ts';
import type { SharedRows } from './matrix.ts';

/** What a scanning thread is told when it starts. */
export interface ScanData {
  /** Number of its scan in every memory, from 1 on: 0 is the event loop's. */
  readonly at: number;
}

export interface ScanQuestion {
  readonly rows: SharedRows;
  readonly asked: CandidatesAsked;
  /** The first number is 1 as soon as nobody waits any more. */
  readonly calledOff: Int32Array;
}
