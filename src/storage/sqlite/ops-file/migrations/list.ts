import type { Migration } from '../../scopes/migrations/migration.ts';
import { init } from './0001-init.ts';

/** The schema of ops.sqlite, oldest first. */
export const OPS_MIGRATIONS: readonly Migration[] = [init];
