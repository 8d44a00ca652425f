import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readModelConfig, MODEL_FILES } from '../local/model-config.ts';
import { ModelRefusal } from '../model-refusal.ts';
import type { Installed } from './add-model.ts';
import { DESCRIPTIONS, describeModel, flatName } from './describe.ts';
import { fetchFile } from './fetch-file.ts';
import { hubModel, type Hub, type HubFile, type HubModel } from './hub-files.ts';
import { EXTRAS, placeOf, putInPlace, workshop } from './place.ts';

export interface GetOptions {
  readonly hub: Hub;
  readonly dataDir: string;
  /** Which ONNX file; null: the usual one. */
  readonly file: string | null;
  readonly progress: (line: string) => void;
}

const ONNX = ['model.onnx', 'onnx/model.onnx'];
const NAME = /^[\w.-]+(\/[\w.-]+)?$/;

/**
 * Brings a model from a hub into the data folder: only files with known names, each checked by what the hub says of it. What came
 * before an interruption is kept and gone on with. Throws ModelRefusal.
 */
export async function getModel(name: string, { hub, dataDir, file, progress }: GetOptions): Promise<Installed> {
  if (!NAME.test(name) || name.includes('..'))
    throw new ModelRefusal('model-unusable', `${name} is no name of a model`);
  const short = name.split('/').at(-1)!;
  const place = placeOf(dataDir, short);
  const model = await hubModel(hub, name);
  const onnx = pick(model, file === null ? ONNX : [file], 'ONNX file');
  const tokenizer = pick(model, ['tokenizer.json'], 'tokenizer.json');
  const about = model.files.filter(({ path }) => [...DESCRIPTIONS, ...EXTRAS].some(wanted => wanted === path));
  // One commit, one workshop: parts of two releases never meet.
  const made = workshop(dataDir, `${short}.${model.commit.slice(0, 12)}`);
  const bring = async (one: HubFile, as: string): Promise<void> => {
    progress(`${one.path}${one.size === null ? '' : ` (${(one.size / 1e6).toFixed(1)} MB)`}`);
    await fetchFile(hub, model, one, join(made, as));
  };
  for (const one of about) await bring(one, flatName(one.path));
  await bring(tokenizer, 'tokenizer.json');
  await bring(onnx, 'model.onnx');
  writeFileSync(join(made, 'config.json'), `${JSON.stringify(describeModel(made, name), null, 2)}\n`, { mode: 0o600 });
  readModelConfig(made);
  const kept = [...MODEL_FILES, ...EXTRAS.filter(extra => about.some(({ path }) => path === extra))];
  for (const { path } of about)
    if (path.includes('/') || !isKept(path)) rmSync(join(made, flatName(path)), { force: true });
  return { name: short, folder: place, digests: await putInPlace(made, place, kept) };
}

const isKept = (path: string): boolean => [...MODEL_FILES, ...EXTRAS].some(kept => kept === path);

function pick(model: HubModel, wanted: readonly string[], what: string): HubFile {
  const found = wanted.map(path => model.files.find(one => one.path === path)).find(one => one !== undefined);
  if (found) return found;
  const others = model.files.filter(({ path }) => path.endsWith('.onnx')).map(({ path }) => path);
  const hint = others.length > 0 ? `; it has ${others.slice(0, 10).join(', ')}` : '';
  throw new ModelRefusal('model-unusable', `${model.name} has no ${what}${hint}`);
}
