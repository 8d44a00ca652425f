import type { Grant, GrantAuth, NewGrant } from './schema.ts';

/** Who may do what (contract 4.2). Every change is durable when its promise resolves. */
export interface GrantStore {
  /** The active grant of an identity; e-mail addresses in any case. */
  find(auth: GrantAuth, identity: string): Promise<Grant | undefined>;
  /** Every grant, disabled ones included, oldest first. */
  list(): Promise<readonly Grant[]>;
  /** Undefined when the identity already has an active grant. */
  add(grant: NewGrant, at: Date): Promise<Grant | undefined>;
  /** Undefined when there is no such grant. */
  rename(id: string, label: string | null): Promise<Grant | undefined>;
  /** A grant that is disabled already stays as it is; undefined when there is no such grant. */
  disable(id: string, at: Date): Promise<Grant | undefined>;
}
