// npm run eval -- <dataset folder in BEIR layout> [--model <folder>] [--pages <folder of pages>] [--json]
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { synonymsOfText } from '../../src/search/synonyms/index.ts';
import type { Embedder } from '../../src/search/vectors/ports.ts';
import { localEmbedder } from '../../src/storage/models/local/local.ts';
import { readDataset } from './dataset.ts';
import { byKind, rankAll, SILENT } from './rank.ts';
import { reportOf, tableOf } from './report.ts';
import { storeOf } from './store.ts';

const { values, positionals } = parseArgs({
  options: { model: { type: 'string' }, pages: { type: 'string' }, json: { type: 'boolean' } },
  allowPositionals: true,
});
const folder = positionals[0];
if (folder === undefined) {
  process.stderr.write('usage: npm run eval -- <dataset folder> [--model <folder>] [--pages <folder>] [--json]\n');
  process.exit(2);
}
const { questions, pages } = readDataset(folder, values.pages);
const model = values.model === undefined ? undefined : resolve(values.model);
const open = async (): Promise<Embedder | null> =>
  model === undefined ? null : localEmbedder({ folder: model, dim: null, threads: availableParallelism() });
const { storage, close } = await storeOf(pages, { vectors: { open } });
try {
  const lanes = {
    lexical: storage.lexical,
    fusion: 'score',
    minSimilarity: null,
    synonyms: synonymsOfText([]),
  } as const;
  const sets = [await rankAll('lexical', lanes, questions)];
  if (model !== undefined) {
    const from = performance.now();
    await storage.vectors.configure(model);
    await storage.vectors.whenSettled();
    process.stderr.write(`embedded in ${((performance.now() - from) / 1000).toFixed(1)} s\n`);
    const vectors = storage.vectors.lane;
    sets.push(await rankAll('vector', { ...lanes, lexical: SILENT, vectors }, questions));
    sets.push(await rankAll('fused', { ...lanes, vectors }, questions));
    sets.push(await rankAll('fused by ranks', { ...lanes, vectors, fusion: 'rrf' }, questions));
  }
  const report = reportOf(folder, pages.size, questions.length, sets);
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : `${tableOf(report)}\n`);
  if (values.pages !== undefined && !values.json) {
    for (const set of sets) {
      const kinds = [...byKind(questions, set)].map(([kind, value]) => `${kind} ${value.toFixed(3)}`);
      process.stdout.write(`${set.name}: ${kinds.join('  ')}\n`);
    }
  }
} finally {
  await close();
}
