import type { GrantStore } from '../../../rules/grants/ports.ts';
import { RIGHTS, type Grant, type GrantAuth, type Right } from '../../../rules/grants/schema.ts';
import type { Db } from '../scopes/connect.ts';

interface GrantRow extends Omit<Grant, 'scopes' | 'rights' | 'active'> {
  readonly scopes: string;
  readonly rights: string;
  readonly active: 0 | 1;
}

const COLUMNS = `id, kind, auth, identity, scopes, rights, label, active, created_at AS createdAt, disabled_at AS disabledAt`;

/** Grants in ops.sqlite. */
export function sqliteGrants(ops: Db): GrantStore {
  const byIdentity = ops.prepare<[auth: string, identity: string], GrantRow>(
    `SELECT ${COLUMNS} FROM grant WHERE auth = ? AND identity = ? AND active = 1`,
  );
  const byId = ops.prepare<[id: string], GrantRow>(`SELECT ${COLUMNS} FROM grant WHERE id = ?`);
  const all = ops.prepare<[], GrantRow>(`SELECT ${COLUMNS} FROM grant ORDER BY seq`);
  const nextSeq = ops.prepare<[], number>('SELECT coalesce(max(seq), 0) + 1 FROM grant').pluck();
  const insert = ops.prepare(`
    INSERT INTO grant (seq, id, kind, auth, identity, scopes, rights, label, active, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`);
  const label = ops.prepare('UPDATE grant SET label = ? WHERE id = ?');
  const disable = ops.prepare('UPDATE grant SET active = 0, disabled_at = ? WHERE id = ? AND active = 1');
  const found = (row: GrantRow | undefined): Grant | undefined => row && grantOf(row);
  return {
    async find(auth, identity) {
      return found(byIdentity.get(auth, stored(auth, identity)));
    },
    async list() {
      return all.all().map(grantOf);
    },
    async add(grant, at) {
      const identity = stored(grant.auth, grant.identity);
      const scopes = JSON.stringify([...new Set(grant.scopes)]);
      const rights = JSON.stringify(RIGHTS.filter(right => grant.rights.includes(right)));
      return ops
        .transaction(() => {
          if (byIdentity.get(grant.auth, identity)) return undefined;
          const seq = nextSeq.get()!;
          const id = `${grant.kind}:${seq}`;
          insert.run(seq, id, grant.kind, grant.auth, identity, scopes, rights, grant.label, at.toISOString());
          return found(byId.get(id));
        })
        .immediate();
    },
    async rename(id, text) {
      label.run(text, id);
      return found(byId.get(id));
    },
    async disable(id, at) {
      disable.run(at.toISOString(), id);
      return found(byId.get(id));
    },
  };
}

const stored = (auth: GrantAuth, identity: string): string => (auth === 'email' ? identity.toLowerCase() : identity);

const grantOf = (row: GrantRow): Grant => ({
  ...row,
  scopes: JSON.parse(row.scopes) as string[],
  rights: JSON.parse(row.rights) as Right[],
  active: row.active === 1,
});
