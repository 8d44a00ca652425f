import type { Db } from './connect.ts';

const STATUSES = ['proposed', 'confirmed', 'superseded', 'rejected'];

export interface RuleStatuses {
  /** At the number of a rule: 1 when its newest version has one of the statuses. Good until it is called again. */
  flags(wanted: readonly string[]): Uint8Array;
}

/** The status of every rule by its number. Versions are only ever added, so what is new since it was asked last is read alone. */
export function statusesBySeq(db: Db): RuleStatuses {
  const since = db.prepare<[row: number], { row: number; seq: number; status: string }>(`
    SELECT v.rowid AS row, r.seq, v.status FROM rule_version v JOIN rule r ON r.id = v.rule_id WHERE v.rowid > ? ORDER BY v.rowid`);
  let codes = new Uint8Array(1024);
  let flags = new Uint8Array(codes.length);
  let last = 0;

  function read(): void {
    for (const { row, seq, status } of since.iterate(last)) {
      if (seq >= codes.length) {
        const larger = new Uint8Array(2 * seq);
        larger.set(codes);
        codes = larger;
        flags = new Uint8Array(codes.length);
      }
      codes[seq] = 1 + STATUSES.indexOf(status);
      last = row;
    }
  }

  return {
    flags(wanted) {
      read();
      const passes = [0, ...STATUSES.map(status => (wanted.includes(status) ? 1 : 0))];
      for (let seq = 0; seq < codes.length; seq++) flags[seq] = passes[codes[seq]!]!;
      return flags;
    },
  };
}
