import { Worker } from 'node:worker_threads';
import { ModelRefusal } from './model-refusal.ts';
import { openSession, type Loaders } from './open-session.ts';

/** What the thread of a model is handed: nothing else from outside exists in it. */
export interface OnnxTools extends Loaders {
  readonly threads: typeof import('node:worker_threads');
  readonly openSession: typeof openSession;
}

/** Packages that are not part of an installation: a model needs them, the server does not. */
const RUNTIME = ['onnxruntime-node', '@huggingface/tokenizers'] as const;

/**
 * Starts a thread that runs `main` with OnnxTools and `helpers`, all handed over as text, so that it needs no loader. Throws a
 * ModelRefusal when the packages are missing.
 */
export function onnxThread(
  main: (tools: never) => unknown,
  workerData: object,
  helpers: Readonly<Record<string, unknown>> = {},
): Worker {
  const [onnx, tokenizers] = RUNTIME.map(located);
  const more = Object.entries({ openSession, ...helpers }).map(([name, helper]) => `${name}: ${String(helper)},`);
  // Compilers that keep names of functions call __name in what they make of a nested one.
  const code = `const __name = named => named;
Promise.all([import(${onnx}), import(${tokenizers})]).then(([onnx, { Tokenizer }]) => (${String(main)})({
  threads: require('node:worker_threads'),
  fs: require('node:fs'),
  onnx: onnx.default ?? onnx,
  Tokenizer,
  ${more.join('\n  ')}
}));`;
  return new Worker(code, { eval: true, execArgv: [], workerData });
}

function located(name: string): string {
  try {
    return JSON.stringify(import.meta.resolve(name));
  } catch {
    const install = `npm install ${RUNTIME.join(' ')}`;
    throw new ModelRefusal(
      'model-runtime-missing',
      `a local model needs ${name}, which is not installed; run: ${install}`,
    );
  }
}
