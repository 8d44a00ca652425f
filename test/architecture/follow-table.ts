import type { Import } from './imports.ts';
import { folderOf, opens, TABLE, type Row } from './table.ts';
import { packageOf, targetOf, type Module } from './tree.ts';

/** Imports that the table does not open, files outside its folders, and targets that are not there. */
export function followTable(modules: readonly Module[]): string[] {
  const paths = new Set(modules.map(module => module.path));
  return modules.flatMap(module => {
    const row = TABLE[folderOf(module.path)];
    if (!row || !module.path.startsWith(`${folderOf(module.path)}/`))
      return [`${module.path}: no row of the table names its folder`];
    return module.imports.flatMap(edge => {
      const why = refusal(module.path, row, edge, paths);
      return why ? [`${module.path}:${edge.line}: ${edge.specifier} ${why}`] : [];
    });
  });
}

function refusal(from: string, row: Row, edge: Import, paths: ReadonlySet<string>): string | undefined {
  const target = targetOf(from, edge);
  if (target === undefined) return foreignRefusal(row, edge.specifier);
  if (!paths.has(target)) return 'is not there';
  const folder = folderOf(target);
  if (folder === folderOf(from)) return undefined;
  const reach = row.imports[folder];
  if (reach === undefined) return `is in ${folder}, which this folder may not import`;
  if (reach === 'deferred' && edge.kind !== 'dynamic') return `may be imported dynamically only`;
  return opens(reach, target.slice(folder.length + 1)) ? undefined : `is no part of the face of ${folder}`;
}

function foreignRefusal(row: Row, specifier: string): string | undefined {
  if (specifier.startsWith('node:'))
    return row.node === 'all' || row.node.includes(specifier) ? undefined : 'is no module for this folder';
  return row.packages === 'all' || row.packages.includes(packageOf(specifier))
    ? undefined
    : 'is no package for this folder';
}
