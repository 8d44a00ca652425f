import { readFileSync } from 'node:fs';
import { readSettings, type Reading } from '../kernel/settings/index.ts';

/** Reads the settings of this process: its environment and the files it can see from its working directory. */
export function settingsOfProcess(env: NodeJS.ProcessEnv = process.env): Reading {
  return readSettings({ env, cwd: process.cwd(), readFile });
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
