import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Words of the tiny model and the vector that each has; `broken` is beyond its table. */
export const WORDS: Readonly<Record<string, readonly number[]>> = {
  '[UNK]': [0, 0, 0, 2],
  query: [1, 0, 0, 0],
  passage: [0, 1, 0, 0],
  red: [3, 1, 0, 0],
  green: [0, 3, 1, 0],
  blue: [0, 0, 3, 1],
};

/**
 * A folder with a real, very small model: a table that gives each word a vector. `config` is laid over its config.json. With
 * `neighbours` a text's vector depends on the texts beside it, as it does after the usual quantisation.
 */
export function tinyModel(config: Readonly<Record<string, unknown>> = {}, neighbours = false): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-model-'));
  const names = Object.keys(WORDS);
  const vocab = Object.fromEntries([...names, 'broken'].map((word, at) => [word, at]));
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
  };
  const described = {
    name: 'tiny',
    format: 'onnx',
    dim: 4,
    max_tokens: 8,
    pooling: 'mean',
    inputs: ['input_ids', 'attention_mask'],
    output: 'states',
    pad_token_id: 0,
    prefixes: { query: 'query ', passage: 'passage ' },
    ...config,
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(described));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'model.onnx'), onnx(Object.values(WORDS), neighbours));
  return folder;
}

/** ONNX by hand: a Gather over a table, less the mean of all where neighbours count. Numbers are fields of protobuf messages. */
function onnx(table: readonly (readonly number[])[], neighbours: boolean): Buffer {
  const width = table[0]!.length;
  const numbers = Buffer.from(new Float32Array(table.flat()).buffer);
  const graph = [
    ...(neighbours
      ? [
          node('Gather', ['table', 'input_ids'], 'rows'),
          node('ReduceMean', ['rows'], 'mean'),
          node('Sub', ['rows', 'mean'], 'states'),
        ]
      : [node('Gather', ['table', 'input_ids'], 'states')]),
    text(2, 'tiny'),
    bytes(
      5,
      Buffer.concat([number(1, table.length), number(1, width), number(2, 1), text(8, 'table'), bytes(9, numbers)]),
    ),
    bytes(11, value('input_ids', 7, ['texts', 'tokens'])),
    bytes(11, value('attention_mask', 7, ['texts', 'tokens'])),
    bytes(12, value('states', 1, ['texts', 'tokens', width])),
  ];
  return Buffer.concat([
    number(1, 8),
    bytes(7, Buffer.concat(graph)),
    bytes(8, Buffer.concat([text(1, ''), number(2, 13)])),
  ]);
}

const node = (kind: string, inputs: readonly string[], output: string): Buffer =>
  bytes(1, Buffer.concat([...inputs.map(input => text(1, input)), text(2, output), text(4, kind)]));

function value(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dims = shape.map(size => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)));
  return Buffer.concat([
    text(1, name),
    bytes(2, bytes(1, Buffer.concat([number(1, type), bytes(2, Buffer.concat(dims))]))),
  ]);
}

const varint = (of: number): number[] => (of < 128 ? [of] : [(of & 127) | 128, ...varint(of >>> 7)]);
const number = (field: number, of: number): Buffer => Buffer.from([field << 3, ...varint(of)]);
const bytes = (field: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(content.length)]), content]);
const text = (field: number, content: string): Buffer => bytes(field, Buffer.from(content));
