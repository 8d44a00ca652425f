import type { Candidate, Environment, Found } from './candidate.ts';
import { inFolder } from './in-folder.ts';
import { unusedDevSettings } from './check-credentials.ts';
import { unusedRules } from './check-rules.ts';
import { checkValues, unused } from './checks.ts';
import { readEnvironment } from './environment.ts';
import { readJsonFile } from './json-file.ts';
import { merge, type Values } from './merge.ts';
import type { Refusal, Warning } from './refusal.ts';
import { settingsOf, type Settings } from './settings.ts';
import { readTomlFile } from './toml-file.ts';

export interface SettingsInput {
  readonly env: Environment;
  /** Absolute; where relative paths start. */
  readonly cwd: string;
  /** The text of a file, undefined when there is none; throws when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
}

/** What was read. Refused: `refusals` is not empty, and values that could not be read show their default. */
export type Reading = {
  readonly values: Values;
  readonly warnings: readonly Warning[];
  readonly config: ConfigFile;
} & (
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }
);

/** The configuration file, absolute: the one that is there, or the one that would be. */
export interface ConfigFile {
  readonly path: string;
  readonly exists: boolean;
}

const USUAL_FILES = ['cairn.json', 'groundnote.json'] as const;
const NOTHING = { candidates: [], refusals: [], warnings: [] } as const;

/** Reads environment and files into checked settings, or says every reason why not. Never throws (rules-gaps 12). */
export function readSettings(input: SettingsInput): Reading {
  const environment = readEnvironment(input.env);
  const json = readJson(input, named('config', environment));
  const toml = readToml(input, named('config_toml', environment));
  const found: readonly Found[] = [environment, json, toml];
  const { values, refusals: conflicts } = merge(environment.candidates, [...json.candidates, ...toml.candidates]);
  const broken = [...found.flatMap(one => one.refusals), ...conflicts];
  // Whether values go together can be told only when each of them is known.
  const refusals = once(broken.length > 0 ? broken : checkValues(values, json.root));
  const warnings = once([
    ...found.flatMap(one => one.warnings),
    ...unused(values),
    ...unusedDevSettings(values),
    ...unusedRules(values),
  ]);
  const reading = { values, warnings, config: json.config };
  return refusals.length > 0
    ? { ...reading, ok: false, refusals }
    : { ...reading, ok: true, settings: settingsOf(values, input.cwd) };
}

const named = (key: 'config' | 'config_toml', found: Found): string | undefined =>
  found.candidates.find((one: Candidate) => one.key === key)?.value as string | undefined;

function readJson(
  input: SettingsInput,
  name: string | undefined,
): Found & { readonly root: Record<string, unknown>; readonly config: ConfigFile } {
  for (const file of name === undefined ? USUAL_FILES : [name]) {
    const path = inFolder(input.cwd, file);
    const text = readText(input, path, file);
    if (typeof text === 'string') return { ...readJsonFile(file, text), config: { path, exists: true } };
    if (text) return { ...NOTHING, refusals: [text], root: {}, config: { path, exists: true } };
  }
  const config = { path: inFolder(input.cwd, name ?? USUAL_FILES[0]), exists: false };
  const refusals = name === undefined ? [] : [{ code: 'config-missing', message: `${name} is not there` } as const];
  return { ...NOTHING, refusals, root: {}, config };
}

function readToml(input: SettingsInput, name: string | undefined): Found {
  if (name === undefined) return NOTHING;
  const text = readText(input, inFolder(input.cwd, name), name);
  if (typeof text === 'string') return readTomlFile(name, text);
  return { ...NOTHING, refusals: [text ?? { code: 'config-unreadable', message: `${name} is not there` }] };
}

/** The text, undefined when there is no file, or why it could not be read. */
function readText(input: SettingsInput, path: string, name: string): string | Refusal | undefined {
  try {
    return input.readFile(path);
  } catch (thrown) {
    const code = (thrown as { readonly code?: unknown } | null)?.code;
    const why = typeof code === 'string' ? ` (${code})` : '';
    return { code: 'config-unreadable', message: `${name} cannot be read${why}` };
  }
}

/** The same remark may come from two rows that share a variable. */
function once<T extends { readonly message: string }>(remarks: readonly T[]): readonly T[] {
  return [...new Map(remarks.map(remark => [remark.message, remark])).values()];
}
