import { targetOf, type Module } from './tree.ts';

/** Import cycles, each once, as `a.ts -> b.ts -> a.ts`. Imports of types count: two files that need each other are one. */
export function cycles(modules: readonly Module[]): string[] {
  const edges = new Map(
    modules.map(module => [module.path, new Set(module.imports.flatMap(edge => targetOf(module.path, edge) ?? []))]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) found.push(`${[...trail.slice(seenAt), path].join(' -> ')}: a cycle`);
    if (seenAt >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}
