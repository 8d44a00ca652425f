import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { shapeOf, type Import, type ModuleShape } from './imports.ts';
import { tokenize, type Token } from './tokens.ts';

/** One source file, `path` with slashes and relative to the tree's root. */
export interface Module extends ModuleShape {
  readonly path: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** Every TypeScript file below `root`, in path order. A root that is not there has none. */
export function readTree(root: string): Module[] {
  const there = statSync(root, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const paths = there ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : [];
  return paths
    .map(path => path.split(sep).join('/'))
    .filter(path => /\.[cm]?tsx?$|\.[cm]?jsx?$/.test(path))
    .filter(path => !path.split('/').includes('node_modules') && statSync(join(root, path)).isFile())
    .toSorted()
    .map(path => {
      const text = readFileSync(join(root, path), 'utf8');
      const tokens = tokenize(text);
      return { path, text, tokens, ...shapeOf(tokens) };
    });
}

/** The path a relative import of `from` points at; nothing for a package or `node:` import. */
export function targetOf(from: string, edge: Import): string | undefined {
  return edge.specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(from), edge.specifier)) : undefined;
}

/** `@scope/name/sub` → `@scope/name`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
