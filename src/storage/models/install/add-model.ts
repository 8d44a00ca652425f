import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readModelConfig, MODEL_FILES } from '../local/model-config.ts';
import { digestsOf, type Digests } from '../local/digests.ts';
import { ModelRefusal } from '../model-refusal.ts';
import { EXTRAS, placeOf, putInPlace, workshop } from './place.ts';

export interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly digests: Digests;
}

/**
 * Copies a model folder into the data folder under its name, with checksums; one of that name is replaced. Nothing of a running
 * server is touched before it reloads. Throws ModelRefusal: `model-missing`, `model-damaged`, `model-unusable`.
 */
export async function addModel(from: string, dataDir: string, as: string | null): Promise<Installed> {
  const config = readModelConfig(from);
  const name = as ?? config.name;
  const place = placeOf(dataDir, name);
  const missing = MODEL_FILES.filter(file => !existsSync(join(from, file)));
  if (missing.length > 0) throw new ModelRefusal('model-missing', `${from} holds no ${missing.join(', no ')}`);
  await digestsOf(from, MODEL_FILES);
  const files = [...MODEL_FILES, ...EXTRAS.filter(file => existsSync(join(from, file)))];
  const made = workshop(dataDir, name);
  try {
    for (const file of files) copyFileSync(join(from, file), join(made, file));
    return { name, folder: place, digests: await putInPlace(made, place, files) };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
