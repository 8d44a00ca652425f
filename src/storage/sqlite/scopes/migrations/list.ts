import { init } from './0001-init.ts';
import { graph } from './0002-graph.ts';
import { lexical } from './0003-lexical.ts';
import { approval } from './0004-approval.ts';
import { vectors } from './0005-vectors.ts';
import type { Migration } from './migration.ts';

/** The schema of a scope file, oldest first. */
export const SCOPE_MIGRATIONS: readonly Migration[] = [init, graph, lexical, approval, vectors];
