// npm run eval -- <dataset folder in BEIR layout> [--model <folder>] [--pages <folder of pages>] [--json]
import { parseArgs } from 'node:util';
import { readDataset } from './dataset.ts';
import { byKind, rankAll } from './rank.ts';
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
const { storage, close } = await storeOf(pages);
try {
  const lanes = { lexical: storage.lexical, fusion: 'score', minSimilarity: null } as const;
  const sets = [await rankAll('lexical', lanes, questions)];
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
