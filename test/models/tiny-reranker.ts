import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytes, number, text, value } from './onnx.ts';

/** Words of the tiny cross-encoder and what each is worth; a pair is worth as much as its best word. */
const WORDS: Readonly<Record<string, number>> = { '[UNK]': -10, query: -10, red: 2, green: 0, blue: -2 };

/** A folder with a real, very small cross-encoder. */
export function tinyReranker(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-reranker-'));
  const vocab = Object.fromEntries(Object.keys(WORDS).map((word, at) => [word, at]));
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', vocab, unk_token: '[UNK]' },
  };
  const config = {
    name: 'tiny-reranker',
    format: 'onnx',
    task: 'rerank',
    max_tokens: 16,
    inputs: ['input_ids', 'attention_mask'],
    output: 'logits',
  };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'model.onnx'), onnx(Object.values(WORDS)));
  return folder;
}

/** Gather over the table, then the largest of each row. Numbers are fields of its protobuf messages. */
function onnx(table: readonly number[]): Buffer {
  const numbers = Buffer.from(new Float32Array(table).buffer);
  const axes = Buffer.concat([text(1, 'axes'), number(8, 1), number(20, 7)]);
  const kept = Buffer.concat([text(1, 'keepdims'), number(3, 0), number(20, 2)]);
  const graph = [
    bytes(1, Buffer.concat([text(1, 'table'), text(1, 'input_ids'), text(2, 'worths'), text(4, 'Gather')])),
    bytes(
      1,
      Buffer.concat([text(1, 'worths'), text(2, 'logits'), text(4, 'ReduceMax'), bytes(5, axes), bytes(5, kept)]),
    ),
    text(2, 'tiny'),
    bytes(5, Buffer.concat([number(1, table.length), number(1, 1), number(2, 1), text(8, 'table'), bytes(9, numbers)])),
    bytes(11, value('input_ids', 7, ['texts', 'tokens'])),
    bytes(11, value('attention_mask', 7, ['texts', 'tokens'])),
    bytes(12, value('logits', 1, ['texts', 1])),
  ];
  return Buffer.concat([
    number(1, 8),
    bytes(7, Buffer.concat(graph)),
    bytes(8, Buffer.concat([text(1, ''), number(2, 13)])),
  ]);
}
