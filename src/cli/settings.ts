import { readFileSync } from 'node:fs';
import { inFolder, readSettings, rowOf, variablesOf, type Key, type Reading } from '../kernel/settings/index.ts';

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

/** An environment in which a flag takes the place of every spelling of its setting. */
export function withFlag(env: NodeJS.ProcessEnv, key: Key, value: string): NodeJS.ProcessEnv {
  const names = variablesOf(rowOf(key)).flat();
  return { ...withoutNames(env, names), [names[0]!]: value };
}

/** An environment in which a setting that has no value in any spelling gets one. */
export function withDefault(env: NodeJS.ProcessEnv, key: Key, value: string): NodeJS.ProcessEnv {
  const names = variablesOf(rowOf(key)).flat();
  return names.some(name => env[name] !== undefined) ? env : { ...env, [names[0]!]: value };
}

const withoutNames = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** The data folder that these variables and files mean, whatever else they say. */
export const dataDirOf = (env: NodeJS.ProcessEnv): string =>
  inFolder(process.cwd(), settingsOfProcess(env).values.get('server.data_dir'));
