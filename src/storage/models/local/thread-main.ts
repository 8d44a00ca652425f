import type * as Onnx from 'onnxruntime-node';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { batchesByLength, clsPool, meanPool, unitVector } from '../../../search/vectors/index.ts';
import type { FromReadyThread, ToReadyThread } from '../../threads/index.ts';
import type { OnnxTools } from '../onnx-thread.ts';
import type { ModelConfig } from './model-config.ts';

export interface ThreadData {
  readonly folder: string;
  readonly config: ModelConfig;
  /** How many numbers of each vector are wanted. */
  readonly dim: number;
  readonly threads: number;
}

/** Texts to embed; urgent ones, which somebody waits for, come first. */
export interface TextsAsked {
  readonly texts: readonly string[];
  readonly urgent: boolean;
}

/** A vector or why there is none, for each text in order. */
export type ThreadResult = Float32Array | string;

type FromThread = FromReadyThread<readonly ThreadResult[]>;

export interface ThreadTools extends OnnxTools {
  readonly batchesByLength: typeof batchesByLength;
  readonly meanPool: typeof meanPool;
  readonly clsPool: typeof clsPool;
  readonly unitVector: typeof unitVector;
}

/**
 * Runs in the thread. Texts go through the model in small groups of like length; a question waits for one group at the most. It is
 * handed over as text, so that it needs no loader.
 */
export function threadMain(tools: ThreadTools): void {
  const { onnx, threads } = tools;
  const { folder, config, dim, threads: cores } = threads.workerData as ThreadData;
  const port = threads.parentPort!;
  const TOKENS_AT_ONCE = 256;
  const KNOWN_INPUTS = new Set(['input_ids', 'attention_mask', 'token_type_ids']);
  const USUAL_OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];

  interface Job {
    readonly id: number;
    readonly urgent: boolean;
    /** Token ids of each text, or why it has none. */
    readonly tokens: (readonly number[] | string)[];
    readonly results: ThreadResult[];
    readonly groups: number[][];
  }

  const jobs: Job[] = [];
  let session: Onnx.InferenceSession;
  let tokenizer: Tokenizer;
  let pumping = false;
  let output = '';
  /** One text a group, for a model whose vectors depend on the texts beside them. */
  let alone = false;

  function tokensOf(text: string): readonly number[] | string {
    try {
      const { ids } = tokenizer.encode(text);
      if (ids.length === 0) return 'it has no tokens';
      // The last token closes a text, so it stays when the text is cut.
      return ids.length <= config.max_tokens ? ids : [...ids.slice(0, config.max_tokens - 1), ids.at(-1)!];
    } catch (error) {
      return String(error);
    }
  }

  function take({ id, texts, urgent }: { id: number; texts: readonly string[]; urgent: boolean }): void {
    const tokens = texts.map(tokensOf);
    const places = tokens.flatMap((one, at) => (typeof one === 'string' ? [] : [at]));
    const groups = tools.batchesByLength(
      places.map(at => tokens[at]!.length),
      alone ? 0 : TOKENS_AT_ONCE,
    );
    const results = tokens.map(one => (typeof one === 'string' ? one : ''));
    jobs.push({ id, urgent, tokens, results, groups: groups.map(group => group.map(at => places[at]!)) });
  }

  async function run(rows: readonly (readonly number[])[]): Promise<ThreadResult[]> {
    const length = Math.max(...rows.map(row => row.length));
    const ids = new BigInt64Array(rows.length * length).fill(BigInt(config.pad_token_id));
    const mask = new BigInt64Array(rows.length * length);
    for (const [at, row] of rows.entries()) {
      for (let i = 0; i < row.length; i++) {
        ids[at * length + i] = BigInt(row[i]!);
        mask[at * length + i] = 1n;
      }
    }
    const given: Record<string, BigInt64Array> = {
      input_ids: ids,
      attention_mask: mask,
      token_type_ids: new BigInt64Array(ids.length),
    };
    const feeds = session.inputNames.map(name => [name, new onnx.Tensor('int64', given[name]!, [rows.length, length])]);
    const made = (await session.run(Object.fromEntries(feeds)))[output]!;
    const numbers = made.data as Float32Array;
    const width = made.dims.at(-1)!;
    if (width < dim) throw new Error(`the model makes ${width} numbers, not ${dim}`);
    const pool = config.pooling === 'cls' ? tools.clsPool : tools.meanPool;
    const vectors =
      made.dims.length === 2
        ? rows.map((_, at) => numbers.slice(at * width, at * width + width))
        : pool(numbers, mask, rows.length, width);
    return vectors.map(vector => tools.unitVector(vector, dim) ?? 'the model gave no vector');
  }

  /** One group; when it fails as a whole, each text of it alone. */
  async function runGroup(job: Job, group: readonly number[]): Promise<void> {
    try {
      const made = await run(group.map(at => job.tokens[at] as readonly number[]));
      for (const [i, at] of group.entries()) job.results[at] = made[i]!;
    } catch (error) {
      if (group.length > 1) for (const at of group) await runGroup(job, [at]);
      else job.results[group[0]!] = String(error);
    }
  }

  async function pump(): Promise<void> {
    pumping = true;
    for (let job = next(); job; job = next()) {
      const group = job.groups.shift();
      if (group) await runGroup(job, group);
      if (job.groups.length === 0) {
        jobs.splice(jobs.indexOf(job), 1);
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        port.postMessage({ id: job.id, answer: job.results } satisfies FromThread);
      }
      // One turn, so that a question that came meanwhile is seen.
      await new Promise(resolve => setImmediate(resolve));
    }
    pumping = false;
  }

  const next = (): Job | undefined => jobs.find(job => job.urgent) ?? jobs[0];

  async function start(): Promise<void> {
    ({ session, words: tokenizer } = await tools.openSession(tools, folder, cores));
    const unknown = session.inputNames.filter(name => !KNOWN_INPUTS.has(name));
    if (unknown.length > 0) throw new Error(`the model wants the input ${unknown.join(', ')}`);
    output = config.output ?? USUAL_OUTPUTS.find(name => session.outputNames.includes(name)) ?? session.outputNames[0]!;
    if (!session.outputNames.includes(output)) throw new Error(`the model has no output ${output}`);
    alone = await dependsOnNeighbours();
  }

  /** Usual quantisation shares one scale among all texts of a group; then each text has to go alone. */
  async function dependsOnNeighbours(): Promise<boolean> {
    const { query, passage } = config.prefixes;
    const long = 'Another text, a good deal longer than the first one, with numbers: 1 2 3.';
    const one = tokensOf(`${query}a`) as readonly number[];
    const other = tokensOf(passage + long) as readonly number[];
    const [first] = await run([one]);
    const [second] = await run([one, other]);
    if (typeof first === 'string' || typeof second === 'string') return false;
    return first!.reduce((sum, value, at) => sum + value * second![at]!, 0) < 0.99999;
  }

  function hear(message: ToReadyThread<TextsAsked>): void {
    if (message === 'close') return void session.release().finally(() => port.close());
    if ('cancel' in message) {
      const at = jobs.findIndex(job => job.id === message.cancel);
      if (at >= 0) jobs.splice(at, 1);
      return;
    }
    take(message);
    if (!pumping) void pump();
  }

  start().then(
    () => {
      port.on('message', hear);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      port.postMessage({ ready: true } satisfies FromThread);
    },
    (error: unknown) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      port.postMessage({ failed: String(error) } satisfies FromThread);
    },
  );
}
