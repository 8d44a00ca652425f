import Database from 'better-sqlite3';
import { sampleRule } from './sample-rules.ts';

/** Fills a scope file with confirmed rules, in one transaction and past the writers, which sync each. The search rows are left out. */
export function fillScope(path: string, scope: string, count: number): void {
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  const at = '2026-01-01T00:00:00Z';
  db.prepare(
    `INSERT INTO source (id, kind, fetched_at, feeder) VALUES ('manual:person:1', 'manual', ?, 'person:1')`,
  ).run(at);
  const rule = db.prepare(`INSERT INTO rule (seq, id, created_at, created_by) VALUES (?, ?, '${at}', 'person:1')`);
  const version = db.prepare(`
    INSERT INTO rule_version (rule_id, version, kind, statement, source_id, quote, said_at, relations, keywords, valid_from,
      status, reason, changed_by, changed_at)
    VALUES (?, ?, 'rule', ?, 'manual:person:1', ?, '${at}', ?, ?, ?, ?, 'sample', 'person:1', '${at}')`);
  const fts = db.prepare('INSERT INTO rule_fts (rowid, keywords, statement, relations, quote) VALUES (?, ?, ?, ?, ?)');
  db.transaction(() => {
    for (let seq = 1; seq <= count; seq++) {
      const { statement, keywords, customer, quote, validFrom } = sampleRule(seq);
      const id = `${scope}-${String(seq).padStart(4, '0')}`;
      rule.run(seq, id);
      const relations = JSON.stringify([{ kind: 'customer', name: customer, ref: null }]);
      for (const [before, status] of ['proposed', 'confirmed'].entries()) {
        version.run(id, before + 1, statement, quote, relations, JSON.stringify(keywords), validFrom, status);
      }
      fts.run(seq, keywords.join(' '), statement, `customer ${customer}`, quote);
    }
  })();
  db.close();
}
