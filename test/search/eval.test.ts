import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDataset } from '../../scripts/eval/dataset.ts';
import { figuresOf, ndcg, recall, reciprocalRank } from '../../scripts/eval/measures.ts';
import { compare } from '../../scripts/eval/significance.ts';

test('nDCG, recall and reciprocal rank are what they are elsewhere', () => {
  const relevant = new Map([
    ['a', 2],
    ['b', 1],
    ['c', 1],
  ]);
  const best = 2 + 1 / Math.log2(3) + 1 / Math.log2(4);
  expect(ndcg(['a', 'b', 'c'], relevant, 10)).toBe(1);
  expect(ndcg(['x', 'a', 'b'], relevant, 10)).toBeCloseTo((2 / Math.log2(3) + 1 / Math.log2(4)) / best, 12);
  expect(ndcg(['x', 'a'], relevant, 1)).toBe(0);
  expect(recall(['x', 'a', 'b'], relevant, 2)).toBeCloseTo(1 / 3, 12);
  expect(reciprocalRank(['x', 'c'], relevant)).toBe(0.5);
  expect(reciprocalRank(['x'], relevant)).toBe(0);
});

test('questions without an answer do not count in the means', () => {
  const figures = figuresOf([
    { ranking: ['a'], relevant: new Map([['a', 1]]) },
    { ranking: ['a'], relevant: new Map() },
  ]);
  expect(figures).toEqual({ ndcg10: 1, recall10: 1, recall100: 1, mrr: 1 });
});

test('a difference on every question is told from one on none', () => {
  const low = Array.from({ length: 60 }, (_, at) => (at % 3) / 4);
  const better = compare(
    low,
    low.map(value => value + 0.1),
  );
  expect(better.difference).toBeCloseTo(0.1, 12);
  expect(better.p).toBeLessThan(0.001);
  expect(better.interval[0]).toBeCloseTo(0.1, 12);
  const noise = compare(
    low,
    low.map((value, at) => value + (at % 2 === 0 ? 0.1 : -0.1)),
  );
  expect(noise.p).toBeGreaterThan(0.5);
  expect(noise.interval[0]).toBeLessThan(0);
  expect(noise.interval[1]).toBeGreaterThan(0);
});

test('a folder in BEIR layout is read; pages may stand for its corpus', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-beir-'));
  try {
    mkdirSync(join(folder, 'qrels'));
    mkdirSync(join(folder, 'pages', 'instances'), { recursive: true });
    const documents = [
      { _id: '1/x', title: 'T: "q"', text: 'one' },
      { _id: '2', title: '', text: 'two' },
    ];
    writeFileSync(join(folder, 'corpus.jsonl'), documents.map(one => JSON.stringify(one)).join('\n'));
    writeFileSync(
      join(folder, 'queries.jsonl'),
      '{"_id":"a","text":"one?"}\n{"_id":"b","text":"unjudged"}\n{"_id":"c","text":"nothing"}\n',
    );
    writeFileSync(join(folder, 'qrels', 'test.tsv'), 'query-id\tcorpus-id\tscore\na\t1/x\t1\na\t2\t0\nc\t2\t0\n');
    const { questions, pages } = readDataset(folder);
    expect([...pages]).toEqual([
      [
        'markdown/instances/document/1~2Fx.md',
        '---\ntype: instance\nskill: document\ntitle: "T: \\"q\\""\n---\n\none\n',
      ],
      ['markdown/instances/document/2.md', '---\ntype: instance\nskill: document\n---\n\ntwo\n'],
    ]);
    expect(questions).toEqual([
      { id: 'a', text: 'one?', relevant: new Map([['markdown/instances/document/1~2Fx.md', 1]]) },
      { id: 'c', text: 'nothing', relevant: new Map() },
    ]);
    writeFileSync(join(folder, 'pages', 'instances', 'p.md'), 'text');
    const own = readDataset(folder, join(folder, 'pages'));
    expect([...own.pages]).toEqual([['markdown/instances/p.md', 'text']]);
    expect(own.questions.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
