import type * as Onnx from 'onnxruntime-node';
import type { Tokenizer } from '@huggingface/tokenizers';

/** What a model is loaded with. */
export interface Loaders {
  readonly fs: typeof import('node:fs');
  readonly onnx: typeof Onnx;
  readonly Tokenizer: typeof Tokenizer;
}

/** Tokenizer and model of a folder. It runs in the thread of a model and uses nothing else from outside. */
export async function openSession(
  { fs, onnx, Tokenizer: Words }: Loaders,
  folder: string,
  cores: number,
): Promise<{ session: Onnx.InferenceSession; words: Tokenizer }> {
  const read = (name: string): object => JSON.parse(fs.readFileSync(`${folder}/${name}`, 'utf8')) as object;
  const described = read('tokenizer.json') as { readonly model?: { readonly unk_token?: string } };
  const more = fs.existsSync(`${folder}/tokenizer_config.json`) ? read('tokenizer_config.json') : {};
  // Some kinds of vocabulary know their token for unknown words only from here.
  const words = new Words(described, { unk_token: described.model?.unk_token, ...more });
  const options = { executionProviders: ['cpu'], intraOpNumThreads: cores, interOpNumThreads: 1 };
  const session = await onnx.InferenceSession.create(`${folder}/model.onnx`, { ...options, logSeverityLevel: 3 });
  return { session, words };
}
