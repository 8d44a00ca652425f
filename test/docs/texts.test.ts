import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fenced, ROOT, trackedTexts } from './tracked.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const texts = () =>
  trackedTexts(
    path => path.endsWith('.md') && !path.startsWith('docs/reference/') && !path.startsWith('examples/corpus/'),
  );
const spans = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(match => match[1]!);

describe('what the texts say', () => {
  test('the README has the two commands, each on a line of its own', () => {
    const lines = fenced(read('README.md'), 'sh');
    expect(lines.filter(line => line.startsWith('npm ci'))).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  });

  test('every npm script that a text names is there', () => {
    const commands = texts().flatMap(({ text }) => [...fenced(text, 'sh'), ...spans(text)]);
    const named = commands.flatMap(line =>
      [...line.matchAll(/\bnpm (?:run )?(?!ci\b|run\b|i\b|install\b)([a-z][a-z:]*)/g)].map(match => match[1]!),
    );
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'demo']));
    expect([...new Set(named)].filter(name => !(name in manifest.scripts))).toEqual([]);
  });

  test('every command of cairn that a text names is there', () => {
    const help = spawnSync(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', '--help'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const known = [...help.stdout.matchAll(/^  ([a-z]+)\b.* {2}/gm)].map(match => match[1]!);
    expect(known).toEqual(expect.arrayContaining(['serve', 'dev', 'import', 'config']));
    const lines = texts().flatMap(({ text }) => [...fenced(text, 'sh'), ...spans(text)]);
    const named = lines.flatMap(line => /^(?:\S+=\S+ )*(?:npx )?cairn ([a-z]+)/.exec(line)?.[1] ?? []);
    expect(named).toEqual(expect.arrayContaining(['serve', 'dev', 'import']));
    expect([...new Set(named)].filter(name => !known.includes(name))).toEqual([]);
  });

  test('every setting that a text names is in the reference', () => {
    const variables = (text: string): string[] => text.match(/\bCAIRN_[A-Z_]*[A-Z]\b/g) ?? [];
    const known = new Set(variables(read('docs/reference/settings.md')));
    expect(known.size).toBeGreaterThan(10);
    const unknown = texts().flatMap(({ path, text }) =>
      variables(text).flatMap(name => (known.has(name) ? [] : [`${path}: ${name}`])),
    );
    expect(unknown).toEqual([]);
  });

  test('every path of the repository that a text names is there', () => {
    const named = texts().flatMap(({ path, text }) =>
      spans(text)
        .filter(span => /^(?:src|test|docs|scripts|bench|examples|web|\.ci)\/[\w./-]*$/.test(span))
        .map(span => ({ path, span })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ span }) => !existsSync(join(ROOT, span)))).toEqual([]);
  });

  test('AGENTS.md is short and its table has the folders of the sources', () => {
    const agents = read('AGENTS.md');
    expect(agents.split('\n').length).toBeLessThanOrEqual(150);
    const rows = [...agents.matchAll(/^\| `src\/([a-z/]+)\/` \|/gm)].map(match => match[1]!);
    const folders = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
      .map(entry =>
        join(entry.parentPath)
          .slice(join(ROOT, 'src').length + 1)
          .split(/[\\/]/),
      )
      .map(parts => parts.slice(0, parts[0] === 'storage' ? 2 : 1).join('/'));
    expect(rows.toSorted()).toEqual([...new Set(folders)].toSorted());
  });

  test('every decision is dated and has its five parts', () => {
    const decisions = readdirSync(join(ROOT, 'docs/decisions')).filter(name => name !== 'README.md');
    expect(decisions.length).toBeGreaterThan(0);
    const faults = decisions.filter(name => {
      const text = read(`docs/decisions/${name}`);
      const parts = ['Facts', 'Problem', 'Decision', 'Alternatives', 'What would change our mind'];
      return !/^\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/.test(name) || parts.some(part => !text.includes(`**${part}.**`));
    });
    expect(faults).toEqual([]);
  });
});
