import { Command, InvalidArgumentError } from 'commander';
import type { Reading } from '../kernel/settings/index.ts';
import { EXIT, refuse } from './exit.ts';
import { settingsOfProcess, withFlag } from './settings.ts';

interface ImportFlags {
  readonly into?: string;
  readonly dataDir?: string;
  readonly dryRun?: true;
  readonly replace?: true;
  readonly json?: true;
}

/** `cairn import <folder>`: takes a folder of markdown into the data folder, as skills and instances. */
export function importCommand(): Command {
  return new Command('import')
    .description('take a folder of markdown, an Obsidian vault for example, into skills and instances')
    .argument('<folder>', 'where the markdown files are; nothing in it is changed')
    .option('--into <skill>', 'the skill of every note, instead of one a folder', nonEmpty)
    .option('--data-dir <folder>', 'where the server keeps everything (default: as in the settings, else ./data)')
    .option('--replace', 'write a new version where another text is stored')
    .option('--dry-run', 'say what would happen, write nothing')
    .option('--json', 'print the report as one JSON object')
    .action(run);
}

function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('a skill id');
  return text;
}

async function run(folder: string, { into, dataDir, dryRun, replace, json }: ImportFlags): Promise<void> {
  const reading = settingsToImport(
    dataDir === undefined ? process.env : withFlag(process.env, 'server.data_dir', dataDir),
  );
  if (!reading.ok) return refuse(...reading.refusals);
  const { importFolder } = await import('./import/import-folder.ts');
  const { report, complete } = await importFolder(folder, {
    settings: reading.settings,
    dryRun: dryRun ?? false,
    replace: replace ?? false,
    json: json ?? false,
    stderr: process.stderr,
    ...(into === undefined ? {} : { into }),
  });
  process.stdout.write(report);
  if (!complete) process.exitCode = EXIT.check;
}

/** An import listens to nobody, so it works before anybody decided how callers prove who they are. */
function settingsToImport(env: NodeJS.ProcessEnv): Reading {
  const reading = settingsOfProcess(env);
  const undecided = !reading.ok && reading.refusals.every(({ code }) => code === 'auth-mode-missing');
  return undecided ? settingsOfProcess({ ...env, CAIRN_AUTH_MODE: 'open' }) : reading;
}
