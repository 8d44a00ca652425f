import { Worker } from 'node:worker_threads';
import { RerankFault } from '../../../search/rerank/index.ts';
import type { Reranker } from '../../../search/rerank/ports.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { readRerankConfig } from './model-config.ts';
import { rerankThreadMain, type FromRerankThread, type RerankThreadData, type ToRerankThread } from './thread-main.ts';

export interface LocalRerankerOptions {
  /** Absolute. */
  readonly folder: string;
  /** Cores that one group of passages may use. */
  readonly threads: number;
}

/** A cross-encoder of a folder with config.json, run in a thread of its own. Rejects with a ModelRefusal. */
export async function localReranker({ folder, threads }: LocalRerankerOptions): Promise<Reranker> {
  const config = readRerankConfig(folder);
  const waiting = new Map<number, { resolve(scores: readonly number[]): void; reject(error: unknown): void }>();
  const workerData: RerankThreadData = { folder, config, threads };
  const worker = new Worker(code(), { eval: true, execArgv: [], workerData });
  let ended = false;
  let nextId = 0;

  const send = (message: ToRerankThread): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  };
  function end(error: Error): void {
    ended = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }
  function hear(message: FromRerankThread): void {
    if (!('id' in message)) return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) worker.unref();
    if ('scores' in message) asked?.resolve(message.scores);
    else asked?.reject(new RerankFault(`${config.name} failed`, { cause: message.error }));
  }

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (first: FromRerankThread) => {
      if ('failed' in first) reject(new ModelRefusal('model-unusable', `${config.name}: ${first.failed}`));
      else resolve();
    });
    worker.on('error', error => {
      reject(new ModelRefusal('model-unusable', `${config.name}: ${error.message}`));
      end(new RerankFault(`the thread of ${config.name} failed`, { cause: error }));
    });
    worker.on('exit', () => end(new RerankFault(`the thread of ${config.name} ended`)));
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  worker.on('message', hear);
  worker.unref();

  return {
    name: config.name,
    price: () => 0,
    score(question, passages, signal) {
      if (ended) return Promise.reject(new RerankFault(`the thread of ${config.name} ended`));
      signal.throwIfAborted();
      const id = nextId++;
      // It keeps the process alive while somebody waits, and no longer.
      worker.ref();
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        signal.addEventListener('abort', () => {
          if (!waiting.delete(id)) return;
          send({ cancel: id });
          if (waiting.size === 0) worker.unref();
          reject(signal.reason);
        });
        send({ id, question: question.toWellFormed(), passages: passages.map(passage => passage.toWellFormed()) });
      });
    },
    close: async () => void (await worker.terminate()),
  };
}

function code(): string {
  const [onnx, words] = ['onnxruntime-node', '@huggingface/tokenizers'].map(located);
  // Compilers that keep names of functions call this in what they make of a nested one.
  return `const __name = named => named;
Promise.all([import(${onnx}), import(${words})]).then(([onnx, { Tokenizer }]) => (${rerankThreadMain})({
  threads: require('node:worker_threads'),
  fs: require('node:fs'),
  onnx: onnx.default ?? onnx,
  Tokenizer,
}));`;
}

/** Address of a package that is not part of an installation: a model needs it, the server does not. */
function located(name: string): string {
  try {
    return JSON.stringify(import.meta.resolve(name));
  } catch {
    const install = 'npm install onnxruntime-node @huggingface/tokenizers';
    throw new ModelRefusal(
      'model-runtime-missing',
      `a local model needs ${name}, which is not installed; run: ${install}`,
    );
  }
}
