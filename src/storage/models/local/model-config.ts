import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelRefusal } from '../model-refusal.ts';

/** What config.json of a model folder says. Keys that are not named here are for people. */
const Config = z.object({
  name: z.string().min(1).max(200),
  format: z.literal('onnx'),
  dim: z.int().min(1).max(8192),
  max_tokens: z.int().min(2).max(32_768),
  /** How the vectors of a text's tokens become one; not looked at where the output is [texts, dim] already. */
  pooling: z.enum(['mean', 'cls']).default('mean'),
  /** Name of the output; without it one of the usual ones. */
  output: z.string().min(1).optional(),
  pad_token_id: z.int().nonnegative().default(0),
  prefixes: z.object({ query: z.string(), passage: z.string() }).default({ query: '', passage: '' }),
  languages: z.array(z.string()).optional(),
});
export type ModelConfig = z.output<typeof Config>;

/** Files of a model folder that make its vectors what they are. */
export const MODEL_FILES = ['config.json', 'model.onnx', 'tokenizer.json'] as const;

/** Reads config.json. Throws ModelRefusal: `model-missing` without one, `model-unusable` when it says too little. */
export function readModelConfig(folder: string): ModelConfig {
  let text: string;
  try {
    text = readFileSync(join(folder, 'config.json'), 'utf8');
  } catch (error) {
    throw new ModelRefusal(
      'model-missing',
      `${folder} holds no config.json (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  try {
    return Config.parse(JSON.parse(text));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ModelRefusal('model-unusable', `${join(folder, 'config.json')}: ${why}`);
  }
}
