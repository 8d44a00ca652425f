import type { TextFile } from './tracked.ts';

/** Written so that this file does not hold what it looks for. */
const MACHINE_PATH =
  /(?<![\w.])(?:\/wor[k]\/|\/roo[t]\/|\/hom[e]\/[a-z]|\/User[s]\/[a-z]|[A-Z]:\\User[s]\\|\/tm[p]\/[a-z])/;
const REGISTRY =
  /regis[t]ry\.[a-z-]+\.[a-z]{2,}|npmj[s]\.(?:org|com)|pyp[i]\.org|pythonhosted\.or[g]|deb[.]debian\.org/i;

/** Lines of tracked files that name a path of somebody's machine or the host of a package registry. */
export function machineTraces(files: readonly TextFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const trace = MACHINE_PATH.exec(line) ?? REGISTRY.exec(line);
      return trace ? [`${path}:${index + 1}: ${trace[0]}`] : [];
    }),
  );
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly integrity?: string; readonly link?: boolean }>
  >;
}

/** Entries of the lock file that pin an address, or that pin no content. */
export function lockFaults(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([name, entry]) => {
    if (/^[a-z+]+:\/\//.test(entry.resolved ?? '')) return [`${name}: resolved names an address`];
    const foreign = name.startsWith('node_modules/') && entry.link !== true;
    return foreign && entry.integrity === undefined ? [`${name}: no integrity`] : [];
  });
}
