import { defineRuleOp } from '../rule-op.ts';
import { buildExport } from './build-export.ts';
import type { SnapshotReader } from './ports.ts';
import { ExportFiles, ExportInput } from './schema.ts';

export interface ExportScopeDeps {
  readonly snapshots: SnapshotReader;
  readonly instance: string;
  readonly zone: string;
}

/** A whole scope as Markdown, rejected rules and the people who decided included: for those who see all that anyway. */
export const exportScope = defineRuleOp({
  name: 'export_scope',
  surface: 'approval',
  effect: 'read',
  right: 'decide',
  logs: 'export',
  summary: 'Export a scope as Markdown files.',
  input: ExportInput,
  output: ExportFiles,
  touches: ({ scope }) => ({ scopes: [scope] }),
  async run({ snapshots, instance, zone }: ExportScopeDeps, { now }, { scope }) {
    const files = buildExport(await snapshots.snapshot(scope), { instance, zone, now: now() });
    return { status: 200, output: { instance, scope, files: [...files] }, log: [{ scope, refs: [] }] };
  },
});
