import { addModel, getModel, type Installed } from '../storage/models/index.ts';

/** Copies a model folder into the data folder. Rejects with a ModelRefusal. */
export function takeModel(folder: string, dataDir: string, name: string | null): Promise<Installed> {
  return addModel(folder, dataDir, name);
}

/** Brings a model from a hub into the data folder, telling of each file. Rejects with a ModelRefusal. */
export function fetchModel(
  name: string,
  from: { readonly hubUrl: string; readonly dataDir: string; readonly file: string | null },
  progress: (line: string) => void,
): Promise<Installed> {
  const { hubUrl, dataDir, file } = from;
  return getModel(name, { hub: { url: hubUrl, fetch }, dataDir, file, progress });
}
