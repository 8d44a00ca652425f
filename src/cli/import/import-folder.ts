import type { Settings } from '../../kernel/settings/index.ts';
import { executeImport, type Importer, type PageResult } from './execute.ts';
import { skillProblem } from './names.ts';
import type { ImportPlan } from './model.ts';
import { planImport } from './plan.ts';
import { progressBar } from './progress.ts';
import { readFolder } from './read-folder.ts';
import { jsonReport, textReport } from './report.ts';

interface ImportFolderOptions {
  readonly settings: Settings;
  readonly into?: string;
  readonly dryRun: boolean;
  readonly replace: boolean;
  readonly json: boolean;
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown };
}

export interface ImportOutcome {
  readonly report: string;
  /** Every planned page is stored as planned. */
  readonly complete: boolean;
}

/**
 * Reads a folder, plans, writes and reports. Rejects with a code: `import-folder-unreadable`, `import-skill-invalid`,
 * or what the data folder answers, `data-folder-locked` while a server runs on it.
 */
export async function importFolder(folder: string, options: ImportFolderOptions): Promise<ImportOutcome> {
  const { settings, into, dryRun, json } = options;
  const problem = into === undefined ? null : skillProblem(into);
  if (problem !== null) throw coded('import-skill-invalid', `--into ${into}: ${problem}`);
  const contents = await readFolder(folder, { without: settings.server.dataDir }).catch((error: unknown) => {
    throw coded('import-folder-unreadable', `${folder}: ${(error as Error).message}`);
  });
  const plan = planImport(contents.files, { unmapped: contents.unmapped, ...(into === undefined ? {} : { into }) });
  const results = dryRun ? null : await write(plan, options);
  const report = (json ? jsonReport : textReport)({ folder, plan, results });
  const failed = (results ?? []).some(({ outcome }) => outcome === 'differs' || outcome === 'refused');
  return { report, complete: !failed };
}

async function write(plan: ImportPlan, options: ImportFolderOptions): Promise<readonly PageResult[]> {
  const importer = await open(options.settings);
  const progress = progressBar(options.stderr);
  try {
    return await executeImport(plan.pages, importer, { replace: options.replace, progress });
  } finally {
    await importer.close();
  }
}

async function open(settings: Settings): Promise<Importer & { close(): Promise<void> }> {
  const { openImporter } = await import('../../app/import.ts');
  try {
    return await openImporter(settings);
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    if (code !== 'data-folder-locked') throw error;
    throw coded(code, `${message}; stop the server (Ctrl-C, or kill with that pid), import, and start it again`);
  }
}

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });
