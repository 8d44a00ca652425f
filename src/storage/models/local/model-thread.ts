import { batchesByLength, clsPool, EmbedderFault, meanPool, unitVector } from '../../../search/vectors/index.ts';
import { readyThread, type ReadyThread } from '../../threads/index.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { onnxThread } from '../onnx-thread.ts';
import { threadMain, type TextsAsked, type ThreadData, type ThreadResult } from './thread-main.ts';

/** Gives one result a text. Rejects with an EmbedderFault when the thread ends. */
export type ModelThread = ReadyThread<TextsAsked, readonly ThreadResult[]>;

/** Loads a model in a thread of its own. Rejects with a ModelRefusal when it cannot be loaded or its packages are missing. */
export async function startModelThread(data: ThreadData): Promise<ModelThread> {
  return readyThread(onnxThread(threadMain, data, { batchesByLength, meanPool, clsPool, unitVector }), {
    name: data.config.name,
    refusal: reason => new ModelRefusal('model-unusable', reason),
    fault: reason => new EmbedderFault(reason),
  });
}
