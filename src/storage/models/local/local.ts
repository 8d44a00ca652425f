import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../kernel/hash.ts';
import { EmbedderFault } from '../../../search/vectors/index.ts';
import type { Embedded, Embedder } from '../../../search/vectors/ports.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { digestsOf } from './digests.ts';
import { MODEL_FILES, readModelConfig } from './model-config.ts';
import { startModelThread, type ModelThread } from './model-thread.ts';
import type { ThreadResult } from './thread-main.ts';

export interface LocalOptions {
  /** Absolute. */
  readonly folder: string;
  /** Vectors are cut to so many numbers (Matryoshka); null: as long as the model makes them. */
  readonly dim: number | null;
  /** Cores that one group of texts may use. */
  readonly threads: number;
}

/**
 * An ONNX model of a folder with config.json, run in a thread of its own, which is started again when it ends. Rejects with a
 * ModelRefusal. Its revision is a checksum of its files.
 */
export async function localEmbedder({ folder, dim, threads }: LocalOptions): Promise<Embedder> {
  const config = readModelConfig(folder);
  const missing = MODEL_FILES.filter(name => !existsSync(join(folder, name)));
  if (missing.length > 0) throw new ModelRefusal('model-missing', `${folder} holds no ${missing.join(', no ')}`);
  if (dim !== null && dim > config.dim) {
    throw new ModelRefusal('model-unusable', `${config.name} makes ${config.dim} numbers, ${dim} are asked for`);
  }
  const data = { folder, config, dim: dim ?? config.dim, threads };
  const revision = await revisionOf(folder);
  let thread: ModelThread = await startModelThread(data);
  let restarting: Promise<ModelThread> | null = null;
  let closed = false;

  async function living(): Promise<ModelThread> {
    if (closed) throw new EmbedderFault(`${config.name} was closed`);
    if (thread.alive()) return thread;
    restarting ??= restart().finally(() => {
      restarting = null;
    });
    return restarting;
  }

  async function restart(): Promise<ModelThread> {
    // The files may be others by now, and vectors of two models must not meet.
    if ((await revisionOf(folder)) !== revision) {
      throw new EmbedderFault(`the files of ${config.name} have changed, the model has to be loaded anew`);
    }
    thread = await startModelThread(data);
    if (closed) await thread.stop();
    return thread;
  }

  return {
    inProcess: true,
    space: {
      model: config.name,
      revision,
      dim: data.dim,
      semantic: true,
      ...(config.languages ? { languages: config.languages } : {}),
    },
    async embedQuery(text, signal) {
      const [result] = await (await living()).ask({ texts: [config.prefixes.query + text], urgent: true }, signal);
      if (typeof result === 'string') throw new EmbedderFault(`${config.name} cannot take the question: ${result}`);
      return result!;
    },
    async embedTexts(texts, signal) {
      const prefixed = texts.map(text => config.prefixes.passage + text);
      return (await (await living()).ask({ texts: prefixed, urgent: false }, signal)).map(embedded);
    },
    async close() {
      closed = true;
      await restarting?.catch(() => undefined);
      await thread.stop();
    },
  };
}

const embedded = (result: ThreadResult): Embedded =>
  typeof result === 'string' ? { poison: result } : { vector: result };

async function revisionOf(folder: string): Promise<string> {
  const digests = await digestsOf(folder, MODEL_FILES);
  return sha256(MODEL_FILES.map(name => `${name} ${digests[name]}\n`).join('')).slice(0, 32);
}
