import { expect, test } from 'vitest';
import type { PageResult } from '../../src/cli/import/execute.ts';
import { planImport } from '../../src/cli/import/plan.ts';
import { progressBar, progressLine } from '../../src/cli/import/progress.ts';
import { jsonReport, textReport } from '../../src/cli/import/report.ts';

const files = [
  { path: 'A.md', text: '[[gone]] [[B]]' },
  { path: 'F/B.md', text: '' },
  { path: 'F/b.md', text: '---\na: b: c\n---\n' },
];
const plan = planImport(files, { unmapped: [{ file: 'x.png', reason: 'not markdown' }] });
const outcomes = ['kept', 'created', 'created', 'differs', 'refused'] as const;
const results = plan.pages.map(({ pageId, from }, index): PageResult => ({
  pageId,
  from,
  outcome: outcomes[index]!,
  reason: `because ${index}`,
}));

test('[IM16] the JSON report holds the whole plan and what became of each page', () => {
  const report = JSON.parse(jsonReport({ folder: 'notes', plan, results })) as Record<string, unknown>;
  expect(report).toMatchObject({
    folder: 'notes',
    dry_run: false,
    summary: { files: 4, pages: 5, created: 2, unchanged: 0, replaced: 0, kept: 1, differs: 1, refused: 1 },
    skills_created: ['note'],
    unmapped: [{ file: 'x.png', reason: 'not markdown' }],
    clashes: [{ kind: 'look-alike' }, { kind: 'same-path' }],
    links: { found: 2, resolved: 1, attachments: 0, unresolved: [{ file: 'A.md', line: 1, link: '[[gone]]' }] },
  });
  expect(report['pages']).toHaveLength(5);
  expect(report['pages']).toContainEqual({
    page_id: 'markdown/skills/F.md',
    from: null,
    outcome: 'kept',
    reason: 'because 0',
  });
  expect(report['mapped']).toContainEqual({
    file: 'A.md',
    page_id: 'markdown/instances/note/A.md',
    skill: 'note',
    id: 'A',
    header: 'added',
  });
});

test('[IM14] the report of a dry run says so', () => {
  const report = { folder: 'notes', plan, results: null };
  expect(JSON.parse(jsonReport(report))).toMatchObject({ dry_run: true, skills_created: ['F', 'note'] });
  expect(textReport(report)).toContain('Dry run: 5 pages planned, nothing written');
});

test('[IM8, IM11, IM12] the text report says what people need to act on', () => {
  const text = textReport({ folder: 'notes', plan, results });
  for (const line of [
    'notes: 3 files become pages, 1 do not',
    'Pages: 2 created, 1 kept, 1 differs, 1 refused',
    '  x.png: not markdown',
    '  markdown/instances/F/B.md: differs, because 3',
    '  F/B.md → B | F/b.md → b: differ in case, spaces or hyphens only',
    '  A.md:1 [[gone]]',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
  expect(text).toContain('F/b.md: header kept as text, line 2 column 5');
});

test('[IM16] long lists are cut in the text report only', () => {
  const many = Array.from({ length: 30 }, (_, index) => ({ file: `${index}.png`, reason: 'not markdown' }));
  const report = { folder: 'notes', plan: planImport([], { unmapped: many }), results: [] };
  expect(textReport(report)).toContain('  … and 10 more (--json lists all)');
  expect((JSON.parse(jsonReport(report)) as { unmapped: unknown[] }).unmapped).toHaveLength(30);
});

test('[IM17] progress is one line on a terminal and nothing anywhere else', () => {
  const seen: string[] = [];
  const write = (text: string): number => seen.push(text);
  progressBar({ write })(1, 2);
  expect(seen).toEqual([]);
  const bar = progressBar({ isTTY: true, write });
  bar(12, 48);
  bar(48, 48);
  expect(seen).toEqual(['\r[######------------------] 12/48 pages', '\r\u001b[K']);
  expect(progressLine(0, 0)).toBe(`[${'#'.repeat(24)}] 0/0 pages`);
});
