import { Worker } from 'node:worker_threads';
import { batchesByLength, clsPool, EmbedderFault, meanPool, unitVector } from '../../../search/vectors/index.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { threadMain, type FromThread, type ThreadData, type ThreadResult, type ToThread } from './thread-main.ts';

export interface ModelThread {
  /** One result a text. Rejects with an EmbedderFault when the thread ends, and with the reason of `signal`. */
  run(texts: readonly string[], urgent: boolean, signal: AbortSignal | undefined): Promise<readonly ThreadResult[]>;
  /** False once the thread has ended. */
  alive(): boolean;
  stop(): Promise<void>;
}

interface Waiting {
  resolve(results: readonly ThreadResult[]): void;
  reject(error: unknown): void;
}

/** Packages that are not part of an installation: a model needs them, the server does not. */
const RUNTIME = ['onnxruntime-node', '@huggingface/tokenizers'] as const;

/** Loads a model in a thread of its own. Rejects with a ModelRefusal when it cannot be loaded or its packages are missing. */
export async function startModelThread(data: ThreadData): Promise<ModelThread> {
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  let ended: Error | null = null;
  const worker = new Worker(code(), { eval: true, execArgv: [], workerData: data });
  const send = (message: ToThread): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  };

  function end(error: Error): void {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }

  function hear(message: FromThread): void {
    if (!('id' in message)) return;
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (waiting.size === 0) worker.unref();
    if ('results' in message) asked?.resolve(message.results);
    else asked?.reject(new EmbedderFault(message.error));
  }

  await new Promise<void>((resolve, reject) => {
    worker.once('message', (first: FromThread) => {
      if ('failed' in first) reject(new ModelRefusal('model-unusable', `${data.config.name}: ${first.failed}`));
      else resolve();
    });
    worker.on('error', error => {
      reject(new ModelRefusal('model-unusable', `${data.config.name}: ${error.message}`));
      end(new EmbedderFault(`the thread of ${data.config.name} failed: ${error.message}`));
    });
    worker.on('exit', () => {
      reject(new ModelRefusal('model-unusable', `${data.config.name}: its thread ended`));
      end(new EmbedderFault(`the thread of ${data.config.name} ended`));
    });
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  worker.on('message', hear);
  worker.unref();

  return {
    run(texts, urgent, signal) {
      if (ended) return Promise.reject(ended);
      signal?.throwIfAborted();
      const id = nextId++;
      // It keeps the process alive while somebody waits, and no longer.
      worker.ref();
      send({ id, texts, urgent });
      return new Promise((resolve, reject) => {
        const cancel = (): void => {
          if (waiting.delete(id)) send({ cancel: id });
          if (waiting.size === 0) worker.unref();
          reject(signal!.reason);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        const settled = (): void => signal?.removeEventListener('abort', cancel);
        waiting.set(id, {
          resolve(results) {
            settled();
            resolve(results);
          },
          reject(error) {
            settled();
            reject(error);
          },
        });
      });
    },
    alive: () => ended === null,
    async stop() {
      if (ended) return;
      worker.ref();
      const gone = new Promise(resolve => void worker.once('exit', resolve));
      end(new EmbedderFault(`${data.config.name} was closed`));
      send('close');
      await gone;
    },
  };
}

function code(): string {
  const [onnx, tokenizers] = RUNTIME.map(locate);
  // Compilers that keep names of functions call __name in what they make of a nested one.
  return `const __name = named => named;
Promise.all([import(${JSON.stringify(onnx)}), import(${JSON.stringify(tokenizers)})]).then(([onnx, { Tokenizer }]) => {
  (${threadMain})({
    threads: require('node:worker_threads'),
    fs: require('node:fs'),
    onnx: onnx.default,
    Tokenizer,
    batchesByLength: ${batchesByLength},
    meanPool: ${meanPool},
    clsPool: ${clsPool},
    unitVector: ${unitVector},
  });
});`;
}

function locate(name: string): string {
  try {
    return import.meta.resolve(name);
  } catch {
    const install = `npm install ${RUNTIME.join(' ')}`;
    throw new ModelRefusal(
      'model-runtime-missing',
      `a local model needs ${name}, which is not installed; run: ${install}`,
    );
  }
}
