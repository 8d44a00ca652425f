import { defineRuleOp } from '../rule-op.ts';
import type { ScopeExports } from './ports.ts';
import { ExportFiles, ExportInput } from './schema.ts';

export interface ExportScopeDeps {
  readonly exports: ScopeExports;
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
  async run({ exports, instance, zone }: ExportScopeDeps, { now, signal }, { scope }) {
    const files = await exports.files(scope, { instance, zone, now: now() }, signal);
    return { status: 200, output: { instance, scope, files: [...files] }, log: [{ scope, refs: [] }] };
  },
});
