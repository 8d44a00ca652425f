import type * as Onnx from 'onnxruntime-node';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { FromReadyThread, ToReadyThread } from '../../threads/index.ts';
import type { OnnxTools } from '../onnx-thread.ts';
import type { RerankConfig } from './model-config.ts';

export interface RerankThreadData {
  readonly folder: string;
  readonly config: RerankConfig;
  readonly threads: number;
}

export interface PassagesAsked {
  readonly question: string;
  readonly passages: readonly string[];
}

/** Runs in the thread: question and passage go through the model together. Handed over as text, so that it needs no loader. */
export async function rerankThreadMain(tools: OnnxTools): Promise<void> {
  const { threads, onnx } = tools;
  const { folder, config, threads: cores } = threads.workerData as RerankThreadData;
  const port = threads.parentPort!;
  const AT_ONCE = 8;
  const cancelled = new Set<number>();
  const state = { closing: false };
  let before: Promise<void> = Promise.resolve();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (message: FromReadyThread<readonly number[]>): void => port.postMessage(message);

  interface Pair {
    readonly ids: readonly number[];
    readonly types: readonly number[];
  }

  const pairOf = (words: Tokenizer, question: string, passage: string): Pair => {
    const { ids, token_type_ids: types } = words.encode(question, { text_pair: passage, return_token_type_ids: true });
    const cut = (row: readonly number[]): number[] =>
      row.length <= config.max_tokens ? [...row] : [...row.slice(0, config.max_tokens - 1), row.at(-1)!];
    return { ids: cut(ids), types: cut(types ?? ids.map(() => 0)) };
  };

  const scoresOf = async (session: Onnx.InferenceSession, pairs: readonly Pair[]): Promise<number[]> => {
    const length = Math.max(...pairs.map(({ ids }) => ids.length));
    const size = pairs.length * length;
    const given: Record<string, BigInt64Array> = {
      input_ids: new BigInt64Array(size).fill(BigInt(config.pad_token_id)),
      attention_mask: new BigInt64Array(size),
      token_type_ids: new BigInt64Array(size),
    };
    for (const [row, { ids, types }] of pairs.entries()) {
      for (let at = 0; at < ids.length; at++) {
        given['input_ids']![row * length + at] = BigInt(ids[at]!);
        given['attention_mask']![row * length + at] = 1n;
        given['token_type_ids']![row * length + at] = BigInt(types[at] ?? 0);
      }
    }
    const feeds = config.inputs.map(name => [name, new onnx.Tensor('int64', given[name]!, [pairs.length, length])]);
    const numbers = (await session.run(Object.fromEntries(feeds)))[config.output]!.data as Float32Array;
    const width = numbers.length / pairs.length;
    return pairs.map((_, row) => {
      const last = numbers[row * width + width - 1]!;
      if (config.scores === 'probability') return last;
      const logit = width === 2 ? last - numbers[row * width]! : last;
      return 1 / (1 + Math.exp(-logit));
    });
  };

  try {
    const { session, words } = await tools.openSession(tools, folder, cores);
    if (!session.outputNames.includes(config.output)) throw new Error(`the model has no ${config.output}`);
    const answer = async (id: number, question: string, passages: readonly string[]): Promise<void> => {
      try {
        const pairs = passages.map(passage => pairOf(words, question, passage));
        const order = pairs.map((_, at) => at).sort((a, b) => pairs[a]!.ids.length - pairs[b]!.ids.length);
        const scores = Array.from<number>({ length: passages.length });
        for (let from = 0; from < order.length && !state.closing && !cancelled.has(id); from += AT_ONCE) {
          const group = order.slice(from, from + AT_ONCE);
          const made = await scoresOf(
            session,
            group.map(at => pairs[at]!),
          );
          for (const [i, at] of group.entries()) scores[at] = made[i]!;
          // One turn, so that a cancellation is heard.
          await new Promise(resolve => setImmediate(resolve));
        }
        if (!cancelled.delete(id)) send({ id, answer: scores });
      } catch (error) {
        send({ id, error: String(error) });
      }
    };
    port.on('message', (message: ToReadyThread<PassagesAsked>) => {
      if (message === 'close') {
        state.closing = true;
        void before.then(() => session.release()).finally(() => port.close());
      } else if ('cancel' in message) cancelled.add(message.cancel);
      else before = before.then(() => answer(message.id, message.question, message.passages));
    });
    send({ ready: true });
  } catch (error) {
    send({ failed: String(error) });
  }
}
