import type { Outgoing } from '../kernel/settings/index.ts';
import { addModel, getModel, type Installed } from '../storage/models/index.ts';
import { outgoingFetch } from './outgoing.ts';

/** Copies a model folder into the data folder. Rejects with a ModelRefusal. */
export function takeModel(folder: string, dataDir: string, name: string | null): Promise<Installed> {
  return addModel(folder, dataDir, name);
}

/** Brings a model from a hub into the data folder, telling of each file. Rejects with a ModelRefusal. */
export async function fetchModel(
  name: string,
  from: {
    readonly hubUrl: string;
    readonly outgoing: Outgoing;
    readonly dataDir: string;
    readonly file: string | null;
  },
  progress: (line: string) => void,
): Promise<Installed> {
  const { hubUrl, outgoing, dataDir, file } = from;
  const hub = { url: hubUrl, fetch: await outgoingFetch(outgoing) };
  return getModel(name, { hub, dataDir, file, progress });
}
