import type { BoundOp } from './op.ts';

/** Every op a server carries, by name and by alias. */
export interface Registry {
  readonly ops: readonly BoundOp[];
  find(nameOrAlias: string): BoundOp | undefined;
}

const NAME = /^[a-z][a-z0-9_]{0,47}$/;

/** Refuses two ops under one name, names outside the wire form, and an admin op that is metered (E070). */
export function registry(ops: readonly BoundOp[]): Registry {
  const byName = new Map<string, BoundOp>();
  for (const op of ops) {
    if (op.scope === 'admin' && op.quota !== 'none') throw new Error(`admin op ${op.name} must not debit a quota`);
    for (const name of [op.name, ...(op.aliases ?? [])]) {
      if (!NAME.test(name)) throw new Error(`op name ${name} is not a wire name`);
      if (byName.has(name)) throw new Error(`two ops are called ${name}`);
      byName.set(name, op);
    }
  }
  return { ops, find: name => byName.get(name) };
}
