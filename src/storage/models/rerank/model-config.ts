import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelRefusal } from '../model-refusal.ts';

/** What config.json of a folder with a cross-encoder says. Keys that are not named here are for people. */
const Config = z.object({
  name: z.string().min(1).max(200),
  format: z.literal('onnx'),
  task: z.literal('rerank'),
  max_tokens: z.int().min(8).max(32_768),
  inputs: z.array(z.string()).min(1),
  output: z.string().min(1),
  pad_token_id: z.int().nonnegative().default(0),
  /** What the output is: one number to be squeezed into 0 to 1, or that already; of two numbers the second class counts. */
  scores: z.enum(['logit', 'probability']).default('logit'),
});
export type RerankConfig = z.output<typeof Config>;

/** Throws ModelRefusal: `model-missing` without the files, `model-unusable` when config.json is none of a cross-encoder. */
export function readRerankConfig(folder: string): RerankConfig {
  const missing = ['config.json', 'model.onnx', 'tokenizer.json'].filter(name => !existsSync(join(folder, name)));
  if (missing.length > 0) throw new ModelRefusal('model-missing', `${folder} holds no ${missing.join(', no ')}`);
  try {
    return Config.parse(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ModelRefusal('model-unusable', `${join(folder, 'config.json')}: ${why}`);
  }
}
