import { describe, expect, test } from 'vitest';
import { splitHeader } from '../../../src/pages/index.ts';

const problemOf = (text: string) => {
  const { problem } = splitHeader(text);
  return problem === null ? null : [problem.code, problem.line, problem.column];
};

describe('fences', () => {
  test.each([
    ['a header', '---\ntype: skill\n---\nbody\n', 'body\n'],
    ['a closing fence at the end', '---\ntype: skill\n---', ''],
    ['a closing fence with its line break', '---\ntype: skill\n---\n', ''],
    ['a blank line behind the fence', '---\ntype: skill\n---\n\nbody', '\nbody'],
    ['a rule in the body', '---\ntype: skill\n---\na\n---\nb', 'a\n---\nb'],
    ['a fence-like line with more on it', '---\ntype: skill\nx: |\n  --- a\n  ---\n---\nbody', 'body'],
    ['a long dash line', '---\ntype: skill\n# ----\n---\nbody', 'body'],
  ])('[PG1, PG3] %s', (_, text, body) => {
    const split = splitHeader(text);
    expect(split.problem).toBeNull();
    expect(split.frontmatter['type']).toBe('skill');
    expect(split.body).toBe(body);
    expect(text.slice(split.bodyStart)).toBe(body);
    expect(text.slice(split.headerStart, split.headerStart + split.header!.length)).toBe(split.header);
  });

  test('[PG1] a fence with trailing spaces does not close', () => {
    expect(problemOf('---\ntype: skill\n--- \nbody')).toEqual(['unterminated_frontmatter', 1, 1]);
  });

  test('[PG1] an indented fence inside a block scalar belongs to the value', () => {
    const { frontmatter, body } = splitHeader('---\ntype: skill\ntext: |\n  a\n  ---\n  b\n---\nbody');
    expect(frontmatter).toEqual({ type: 'skill', text: 'a\n---\nb\n' });
    expect(body).toBe('body');
  });

  test.each([
    ['\ufeff', '\n'],
    ['', '\r\n'],
    ['', '\r'],
    ['\ufeff', '\r\n'],
    ['\n', '\n'],
    ['\ufeff \t\r\n\r\n', '\r\n'],
  ])('[PG2] %j before the header and %j as line end', (before, eol) => {
    const lines = ['---', 'type: instance', 'acl:', '  read: [owner]', '---', 'a', 'b', ''];
    const split = splitHeader(before + lines.join(eol));
    expect(split.problem).toBeNull();
    expect(split.frontmatter).toEqual({ type: 'instance', acl: { read: ['owner'] } });
    expect(split.body).toBe(['a', 'b', ''].join(eol));
  });
});

describe('values', () => {
  test('[PG4] dates, postcodes, long numbers and unknown keys stay what they are', () => {
    const header = [
      'type: instance',
      'at: 2026-04-01T10:00:00Z',
      'day: 2026-04-01',
      'postcode: 01067',
      'account: 12345678901234567890',
      'count: 12',
      'ratio: -1.50',
      'none: ~',
      'no: no',
      'limit: .inf',
      'odd: .nan',
      '__proto__: {polluted: true}',
      'constructor: x',
    ];
    const { frontmatter, problem } = splitHeader(`---\n${header.join('\n')}\n---\n`);
    expect(problem).toBeNull();
    expect(JSON.parse(JSON.stringify(Object.entries(frontmatter)))).toEqual([
      ['type', 'instance'],
      ['at', '2026-04-01T10:00:00Z'],
      ['day', '2026-04-01'],
      ['postcode', '01067'],
      ['account', '12345678901234567890'],
      ['count', 12],
      ['ratio', -1.5],
      ['none', null],
      ['no', 'no'],
      ['limit', '.inf'],
      ['odd', '.nan'],
      ['__proto__', { polluted: true }],
      ['constructor', 'x'],
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each([
    ['a list', '---\n- a\n---\nb', 'frontmatter_no_mapping', 2, 1],
    ['a single value', '---\nMuster GmbH\n---\nb', 'frontmatter_no_mapping', 2, 1],
    ['nothing', '---\n---\nb', 'frontmatter_no_mapping', 2, 1],
    ['a comment', '---\n# a\n---\nb', 'malformed_frontmatter', 2, 1],
    ['a second colon', '---\ntype: skill\ntitle: Q3: rollout\n---\nb', 'malformed_frontmatter', 3, 10],
    ['a key twice', '\ufeff\r\n---\r\ntype: skill\r\nid: a\r\nid: b\r\n---\r\nb', 'malformed_frontmatter', 5, 1],
    ['two documents', '---\ntype: skill\n...\na: b\n---\nb', 'malformed_frontmatter', 2, 1],
    ['a NUL', '---\ntype: skill\nid: a\0\n---\nb', 'malformed_frontmatter', 3, 6],
    ['an unknown tag', '---\ntype: !!js/function x\n---\nb', 'malformed_frontmatter', 2, 7],
    ['no closing fence', '---\ntype: skill\nb', 'unterminated_frontmatter', 1, 1],
    ['no fence', '# Title\n\ntext\n\n---\n\nmore\n', 'missing_frontmatter', 1, 1],
    ['no text', '', 'missing_frontmatter', 1, 1],
    ['a fence alone', '---', 'missing_frontmatter', 1, 1],
    ['an indented fence', ' ---\ntype: skill\n---\n', 'missing_frontmatter', 1, 1],
  ])('[PG5] %s is a problem and the whole file the body', (_, text, code, line, column) => {
    const split = splitHeader(text);
    expect(problemOf(text)).toEqual([code, line, column]);
    expect(split.problem!.message).not.toBe('');
    expect(split.frontmatter).toEqual({});
    expect(split.body).toBe(text.replace(/^\ufeff/, ''));
  });

  test.each([
    ['missing', 'id: a', 1],
    ['of other case', 'id: a\ntype: Skill', 3],
    ['no text', '"type": 1\nid: a', 2],
  ])('[PG6] a type that is %s is a problem and the header is kept', (_, header, line) => {
    const split = splitHeader(`---\n${header}\n---\nbody`);
    expect(problemOf(`---\n${header}\n---\nbody`)).toEqual(['invalid_type', line, 1]);
    expect(split.frontmatter['id']).toBe('a');
    expect(split.body).toBe('body');
  });

  test('[PG7] an alias is its value, a bomb and a loop are malformed', () => {
    expect(splitHeader('---\ntype: skill\na: &x [1]\nb: *x\n---\n').frontmatter).toEqual({
      type: 'skill',
      a: [1],
      b: [1],
    });
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 9; level++) bomb.push(`a${level}: &a${level} [${`*a${level - 1}, `.repeat(10)}]`);
    expect(problemOf(`---\ntype: skill\n${bomb.join('\n')}\n---\n`)).toEqual(['malformed_frontmatter', 2, 1]);
    expect(problemOf('---\ntype: skill\na: &x [*x]\n---\n')).toEqual(['malformed_frontmatter', 2, 1]);
    expect(problemOf(`---\ntype: skill\na: ${'['.repeat(200)}${']'.repeat(200)}\n---\n`)![0]).toBe(
      'malformed_frontmatter',
    );
  });
});
