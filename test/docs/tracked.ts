import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** The files under version control, relative to the root. A copy without git has all files but those git would ignore. */
export function trackedFiles(): string[] {
  const git = spawnSync('git', ['-c', 'safe.directory=*', 'ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  if (git.status === 0) return git.stdout.split('\0').filter(path => path !== '' && existsSync(join(ROOT, path)));
  const ignored = new Set(['.git', ...readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')].map(unslashed));
  const entries = readdirSync(ROOT, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return entries
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .split(sep),
    )
    .filter(parts => !parts.some(part => ignored.has(part)))
    .map(parts => parts.join('/'));
}

const unslashed = (line: string): string => line.replace(/\/$/, '');

/** Tracked files that hold text, read. */
export function trackedTexts(pick: (path: string) => boolean = () => true): TextFile[] {
  return trackedFiles()
    .filter(pick)
    .map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(file => !file.text.includes('\0'));
}

/** The lines inside the fenced blocks of one language, all blocks in order. */
export function fenced(text: string, language: string): string[] {
  const found = [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)].filter(match => match[1] === language);
  return found.flatMap(match => match[2]!.split('\n').map(line => line.trim())).filter(line => line !== '');
}
