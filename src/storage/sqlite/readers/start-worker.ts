import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Starts the file `name`, without its ending, beside the module at `from` as a thread, from sources as well as built. */
export function startWorker(from: string, name: string, data: object): Worker {
  const kind = extname(from);
  const entry = new URL(`${name}${kind}`, from);
  const built = { workerData: data, execArgv: [] };
  return kind === '.ts' ? new Worker(loaded(entry), { ...built, eval: true }) : new Worker(entry, built);
}

/** Sources that are not built need a loader, which a thread does not take over from its process. */
const loaded = (entry: URL): string =>
  `import(${JSON.stringify(import.meta.resolve('tsx/esm/api'))}).then(({ register }) => (register(), import(${JSON.stringify(entry)})))`;
