import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lexicalSettings, createAnalysis } from '../../src/rules/search/lexical/index.ts';
import { scopeFiles } from '../../src/storage/sqlite/scopes/files.ts';
import { scopeReaders } from '../../src/storage/sqlite/scopes/readers/scope-readers.ts';
import { sqliteRuleSearch } from '../../src/storage/sqlite/scopes/rule-search.ts';
import { sampleMail } from './sample-rules.ts';

/** Prints the megabytes that a process holds once it has searched a copy of a scope file, or an empty scope. */
const [path = '', size = '0'] = process.argv.slice(2);
const scope = path === '' ? 'empty' : basename(path, '.sqlite');
const folder = mkdtempSync(join(tmpdir(), 'cairn-rules-memory-'));
try {
  if (path !== '') for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, join(folder, `${scope}.sqlite${end}`));
  const files = scopeFiles({
    folder,
    configured: [scope],
    memory: { of: () => (path === '' ? undefined : { createdAt: '', versionCount: 0 }), remember: () => undefined },
    clock: () => new Date(),
    report: () => undefined,
    analysis: createAnalysis(lexicalSettings()),
  });
  if (path === '') files.create(scope);
  const readers = scopeReaders({ files, report: () => undefined, from: Infinity });
  const search = sqliteRuleSearch(files, readers);
  for (let n = 0; n < 50; n++) {
    await search.lexical(scope, {
      text: sampleMail(n, Number(size)),
      given: [],
      day: '2026-06-01',
      most: 50,
      proposals: false,
      explain: true,
    });
  }
  globalThis.gc?.();
  process.stdout.write(String(process.memoryUsage().rss / 1e6));
  files.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
