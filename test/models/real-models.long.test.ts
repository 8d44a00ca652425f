import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localEmbedder } from '../../src/storage/models/local/local.ts';

const MODELS = join(import.meta.dirname, '../../../shared/assets/models');
const NAMES = ['all-MiniLM-L6-v2', 'multilingual-e5-small'];

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** Lengths of every sort, so that groups differ. */
const TEXTS = Array.from({ length: 24 }, (_, at) =>
  `The seal of pump ${at} is changed every ${(at % 5) + 1} years. Die Dichtung wird im Werk geprüft. `.repeat(
    (at % 6) + 1,
  ),
);

describe.each(NAMES)('%s', name => {
  const folder = join(MODELS, name);
  const there = existsSync(folder);
  const title = there ? '' : `: skipped, there is no ${folder}`;

  test.skipIf(!there)(`[EM2] a text alone has the vector that it has among others${title}`, async () => {
    const embedder = await localEmbedder({ folder, dim: null, threads: 1 });
    const vectors = async (texts: readonly string[]): Promise<Float32Array[]> =>
      (await embedder.embedTexts(texts)).flatMap(one => ('vector' in one ? [one.vector] : []));
    const together = await vectors(TEXTS);
    expect(together).toHaveLength(TEXTS.length);
    const backwards = (await vectors(TEXTS.toReversed())).toReversed();
    for (const at of [0, 5, 11, 23]) {
      const [alone] = await vectors([TEXTS[at]!]);
      expect(dot(alone!, together[at]!)).toBeGreaterThan(0.99999);
      expect(dot(backwards[at]!, together[at]!)).toBeGreaterThan(0.99999);
    }
    await embedder.close();
  });

  test.skipIf(!there)(`[EM1] questions lie nearer to what answers them${title}`, async () => {
    const embedder = await localEmbedder({ folder, dim: null, threads: 1 });
    const [right, wrong] = await embedder.embedTexts([
      'The invoice is due after thirty days.',
      'Cats sleep most of the day.',
    ]);
    const question = await embedder.embedQuery('When do I have to pay the bill?');
    if (!('vector' in right!) || !('vector' in wrong!)) throw new Error('no vectors');
    expect(dot(question, right.vector)).toBeGreaterThan(dot(question, wrong.vector));
    await embedder.close();
  });
});
