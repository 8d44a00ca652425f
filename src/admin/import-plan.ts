import { normalizePageId, pageIdProblem, sizeProblem } from '../pages/index.ts';
import type { TarEntry } from './ports.ts';

export interface ImportedPage {
  readonly pageId: string;
  readonly content: string;
}

/** The pages of a tarball below `folder`, or the first reason why it cannot be imported as a whole. */
export function importPlan(folder: string, entries: readonly TarEntry[]): ImportedPage[] | string {
  const pages = new Map<string, ImportedPage>();
  // Some pack the folder, some what is in it; an export always has pages right below it.
  const wrapped = entries.length > 0 && entries.every(({ path }) => plain(path).startsWith(folder));
  for (const { path, data } of entries) {
    const name = JSON.stringify(path.slice(0, 200));
    const relative = wrapped ? plain(path).slice(folder.length) : plain(path);
    const pageId = normalizePageId(folder + relative);
    const problem = relative.startsWith('/') ? 'the path must be relative' : pageIdProblem(pageId);
    if (problem) return `${name}: ${problem}`;
    if (pages.has(pageId)) return `${name} is there twice`;
    const content = utf8(data);
    if (content === null) return `${name} is not UTF-8`;
    const tooLarge = sizeProblem(content);
    if (tooLarge !== null) return `${name}: ${tooLarge}`;
    pages.set(pageId, { pageId, content });
  }
  const inTheWay = [...pages.keys()].find(pageId => foldersOf(pageId).some(one => pages.has(one)));
  if (inTheWay !== undefined) return `${JSON.stringify(inTheWay)} lies below another page as if that were a folder`;
  return [...pages.values()];
}

/** Without the `./` that `tar c .` writes. */
const plain = (path: string): string => (path.startsWith('./') ? path.slice(2) : path);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function utf8(data: Uint8Array): string | null {
  try {
    return decoder.decode(data);
  } catch {
    return null;
  }
}

/** `a/b/c` lies in `a` and `a/b`. */
export function foldersOf(pageId: string): string[] {
  const segments = pageId.split('/');
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join('/'));
}
