import { parentPort, workerData } from 'node:worker_threads';
import { answerQuestions } from '../../threads/index.ts';
import { candidates, type Candidates, type Kernels } from './candidates.ts';
import { kernelsOf } from './matrix.ts';
import type { ScanData, ScanQuestion } from './scan-question.ts';

/** A thread that looks at vectors in memory that it shares with the event loop. */
const { at } = workerData as ScanData;
/** Of the memory that was asked last, so that one nobody asks any more can go. */
let known: { readonly id: string; readonly kernels: Kernels } | undefined;

answerQuestions<ScanQuestion, Candidates>(parentPort, ({ rows, asked, calledOff }) => {
  if (known?.id !== rows.id) known = { id: rows.id, kernels: kernelsOf(rows.memories, at) };
  return candidates(known.kernels, rows, asked, () => Atomics.load(calledOff, 0) === 1);
});
