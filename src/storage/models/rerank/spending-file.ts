import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Spending } from '../../../search/rerank/ports.ts';

/** What reranking cost this month, in a file of one line (`2026-11 1.25`), so that a restart does not start a new month. */
export function spendingFile(path: string): Spending {
  let [month, usd] = read(path);
  return {
    spent: asked => (asked === month ? usd : 0),
    add(asked, more) {
      usd = (asked === month ? usd : 0) + more;
      month = asked;
      const next = `${path}.new`;
      writeFileSync(next, `${month} ${usd}\n`, { mode: 0o600 });
      renameSync(next, path);
    },
  };
}

function read(path: string): [string, number] {
  try {
    const [month = '', usd = ''] = readFileSync(path, 'utf8').trim().split(' ');
    return Number.isFinite(Number(usd)) ? [month, Number(usd)] : ['', 0];
  } catch {
    return ['', 0];
  }
}
