import { init } from './0001-init.ts';
import type { Migration } from './migration.ts';

/** The schema of a scope file, oldest first. */
export const SCOPE_MIGRATIONS: readonly Migration[] = [init];
