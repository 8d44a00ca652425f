import { RerankFault } from '../../../search/rerank/index.ts';
import type { Reranker } from '../../../search/rerank/ports.ts';
import { readyThread } from '../../threads/index.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { onnxThread } from '../onnx-thread.ts';
import { readRerankConfig } from './model-config.ts';
import { rerankThreadMain, type PassagesAsked, type RerankThreadData } from './thread-main.ts';

export interface LocalRerankerOptions {
  /** Absolute. */
  readonly folder: string;
  /** Cores that one group of passages may use. */
  readonly threads: number;
}

/** A cross-encoder of a folder with config.json, run in a thread of its own. Rejects with a ModelRefusal. */
export async function localReranker({ folder, threads }: LocalRerankerOptions): Promise<Reranker> {
  const config = readRerankConfig(folder);
  const data: RerankThreadData = { folder, config, threads };
  const thread = await readyThread<PassagesAsked, readonly number[]>(onnxThread(rerankThreadMain, data), {
    name: config.name,
    refusal: reason => new ModelRefusal('model-unusable', reason),
    fault: reason => new RerankFault(`${config.name} failed`, { cause: reason }),
  });
  return {
    name: config.name,
    price: () => 0,
    score: (question, passages, signal) =>
      thread.ask(
        { question: question.toWellFormed(), passages: passages.map(passage => passage.toWellFormed()) },
        signal,
      ),
    close: thread.stop,
  };
}
