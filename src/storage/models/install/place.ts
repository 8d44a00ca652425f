import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKSUMS, digestOf, type Digests } from '../local/digests.ts';
import { ModelRefusal } from '../model-refusal.ts';

/** Files that a model folder may hold beside those it needs. */
export const EXTRAS = ['tokenizer_config.json', 'README.md', 'LICENSE'] as const;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The folder of a model below the data folder. Throws ModelRefusal `model-unusable` for a name that is none of a folder. */
export function placeOf(dataDir: string, name: string): string {
  if (!NAME.test(name))
    throw new ModelRefusal('model-unusable', `${name} is no name of a model: letters, digits, . _ - only`);
  return join(dataDir, 'models', name);
}

/** A folder beside the places of models, for one that is not whole yet. */
export function workshop(dataDir: string, name: string): string {
  const folder = join(dataDir, 'models', `.${name}.part`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Writes checksums of the files in the workshop, then puts it into the place of the model, in place of one that was there: at no
 * moment there is half a model. Answers the checksums.
 */
export async function putInPlace(made: string, place: string, names: readonly string[]): Promise<Digests> {
  const digests: Record<string, string> = {};
  for (const name of names) {
    chmodSync(join(made, name), 0o600);
    digests[name] = await digestOf(join(made, name));
  }
  writeFileSync(join(made, CHECKSUMS), `${JSON.stringify(digests, null, 2)}\n`, { mode: 0o600 });
  const old = `${place}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, old);
  renameSync(made, place);
  rmSync(old, { recursive: true, force: true });
  return digests;
}
