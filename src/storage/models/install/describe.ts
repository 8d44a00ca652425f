import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of a hub's model that say how it is used. */
export const DESCRIPTIONS = [
  'config.json',
  'tokenizer_config.json',
  'sentence_bert_config.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
] as const;

type Read = (name: string) => Record<string, unknown>;

/**
 * config.json as we have it, out of what a model brings from a hub, in a folder where slashes of names are written as `__`. One that
 * is ours already stays as it is.
 */
export function describeModel(folder: string, name: string): Record<string, unknown> {
  const read: Read = file => {
    try {
      return JSON.parse(readFileSync(join(folder, flatName(file)), 'utf8')) as Record<string, unknown>;
    } catch {
      return {};
    }
  };
  const config = read('config.json');
  if (config['format'] === 'onnx') return config;
  const pooling = read('1_Pooling/config.json');
  const words = read('tokenizer_config.json');
  return {
    name: name.split('/').at(-1)!,
    format: 'onnx',
    dim: firstNumber(pooling['word_embedding_dimension'], config['hidden_size'], config['dim']),
    max_tokens: maxTokens(read('sentence_bert_config.json')['max_seq_length'], config, words),
    pooling: pooling['pooling_mode_cls_token'] === true ? 'cls' : 'mean',
    pad_token_id: firstNumber(config['pad_token_id'], 0),
    prefixes: prefixesOf(name, read('config_sentence_transformers.json')['prompts']),
    base_model: name,
  };
}

export const flatName = (path: string): string => path.replaceAll('/', '__');

const firstNumber = (...values: unknown[]): number | undefined =>
  values.find((value): value is number => typeof value === 'number' && Number.isFinite(value));

/** Positions of RoBERTa begin at 2, so its table has two more than a text may have tokens. */
function maxTokens(stated: unknown, config: Record<string, unknown>, words: Record<string, unknown>): number {
  const positions = firstNumber(config['max_position_embeddings']);
  const spare = String(config['model_type']).includes('roberta') ? 2 : 0;
  const limit = firstNumber(words['model_max_length']);
  const known = [firstNumber(stated), positions === undefined ? undefined : positions - spare, limit];
  return Math.min(8192, ...known.filter(value => value !== undefined));
}

/** What the model says; models of the E5 family do not, and need theirs. */
function prefixesOf(name: string, prompts: unknown): { query: string; passage: string } {
  const said = (typeof prompts === 'object' && prompts !== null ? prompts : {}) as Record<string, unknown>;
  const text = (...keys: string[]): string | undefined =>
    keys.map(key => said[key]).find((value): value is string => typeof value === 'string');
  const e5 = /(^|[-/_])e5-/.test(name) && !name.includes('instruct');
  return {
    query: text('query') ?? (e5 ? 'query: ' : ''),
    passage: text('passage', 'document') ?? (e5 ? 'passage: ' : ''),
  };
}
