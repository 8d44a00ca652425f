import { describe, expect, test } from 'vitest';
import { project } from '../../../src/pages/index.ts';

const factsOf = (pageId: string, ...header: string[]) =>
  project(pageId, `---\n${header.join('\n')}\n---\n\n# First ^a\n\ntext\n`).facts;

describe('header', () => {
  test.each([
    ['a skill', ['type: skill', 'id: customer'], ['skill', 'customer', 'customer']],
    ['a skill with a skill key', ['type: skill', 'id: a', 'skill: b'], ['skill', 'a', 'b']],
    ['a skill without id', ['type: skill'], ['skill', null, 'markdown/x/y.md']],
    ['an instance', ['type: instance', 'skill: customer', 'id: acme'], ['instance', 'acme', 'customer']],
    ['an instance without skill', ['type: instance', 'id: acme'], ['instance', 'acme', 'acme']],
    ['an instance without both', ['type: instance'], ['instance', null, '']],
    ['an id that is no text', ['type: instance', 'skill: s', 'id: 12'], ['instance', null, 's']],
    ['an id in NFD', ['type: instance', 'skill: s', `id: ${'Ä'.normalize('NFD')}`], ['instance', 'Ä', 's']],
  ])('[PG30] %s', (_, header, [pageType, slug, skill]) => {
    expect(factsOf('markdown/x/y.md', ...header)).toMatchObject({ pageType, slug, skill, unreadable: false });
  });

  test('[PG30] the header wins over the path', () => {
    const facts = factsOf('markdown/skills/other.md', 'type: instance', 'skill: s', 'id: i');
    expect(facts).toMatchObject({ pageType: 'instance', slug: 'i', skill: 's' });
  });

  test.each([
    ['title', ['type: skill', 'id: i', 'title: " T "', 'name: N'], 'T'],
    ['name', ['type: skill', 'id: i', 'title: ""', 'name: N'], 'N'],
    ['first heading', ['type: skill', 'id: i', 'title: 12'], 'First'],
  ])('[PG31] the title is the %s', (_, header, title) => {
    expect(factsOf('markdown/x/y.md', ...header).title).toBe(title);
  });

  test.each([
    ['---\ntype: skill\nid: i\n---\n', 'i'],
    ['---\ntype: skill\n---\n#\n\n---\n', 'y'],
    ['---\ntype: skill\n---', 'y'],
    ['---\ntitle: Q3: rollout\n---\n## Real\n', 'Real'],
    ['---\ntitle: Q3: rollout\n---\n', 'y'],
    ['---\nMuster GmbH\n---\ntext', 'Muster GmbH'],
    ['---\ntype: skill\n\n# Open', 'Open'],
    ['---\n---\n', 'y'],
    ['', 'y'],
  ])('[PG31] %j is called %s', (content, title) => {
    expect(project('markdown/x/y.md', content).facts.title).toBe(title);
  });

  test('[PG31] a page without a name is called after its file', () => {
    expect(project('.md', '').facts.title).toBe('.md');
    expect(project('a/b', '').facts.title).toBe('b');
  });

  test('[PG34] description, time, scenario and archive mark', () => {
    expect(
      factsOf(
        'p',
        'type: instance',
        'description: "a: b"',
        'at: 2026-04-01T10:00:00+02:00',
        'scenario: s',
        'archived: true',
      ),
    ).toMatchObject({ description: 'a: b', at: '2026-04-01T08:00:00.000Z', scenario: 's', archived: true, acl: null });
    expect(
      factsOf('p', 'type: instance', 'description: [a]', 'at: soon', 'scenario: ""', 'archived: "true"'),
    ).toMatchObject({
      description: '',
      at: null,
      scenario: null,
      archived: false,
    });
  });

  test.each([
    ['a block', 'acl: {read: [a, owner], update: [], create: x}', { read: ['a', 'owner'], update: [] }],
    ['an empty block', 'acl: {}', {}],
    ['a text', 'acl: private', 'closed'],
    ['a list', 'acl: [read]', 'closed'],
    ['no block', 'visibility: owner', null],
  ])('[PG34] %s', (_, line, acl) => {
    expect(factsOf('p', 'type: instance', line).acl).toEqual(acl);
    expect(factsOf('p', 'type: skill', line).acl).toBeNull();
  });
});

describe('unreadable headers', () => {
  test.each([
    ['markdown/skills/s.md', ['skill', 's', 's']],
    ['markdown/instances/c/a.md', ['instance', 'a', 'c']],
    ['markdown/instances/c/d/a.md', ['instance', null, '']],
    ['notes/a.md', ['instance', null, '']],
  ])('[PG33] %s', (pageId, [pageType, slug, skill]) => {
    for (const content of [
      '# A\n',
      '---\na: b: c\n---\n',
      '---\n- a\n---\n',
      '---\ntype: skill\n',
      '---\nx: 1\n---\n',
    ]) {
      expect(project(pageId, content).facts).toMatchObject({
        unreadable: true,
        pageType,
        slug,
        skill,
        archived: false,
      });
    }
  });

  test('[PG33] a header that is only of an unknown type keeps what it says', () => {
    const { facts } = project('markdown/instances/c/a.md', '---\ntype: page\nid: i\nskill: s\ntitle: T\n---\n');
    expect(facts).toMatchObject({ unreadable: true, pageType: 'instance', slug: 'i', skill: 's', title: 'T' });
  });

  test('[PG33] a mark, CRLF or a blank line before the header do not make it unreadable', () => {
    for (const content of [
      '\ufeff---\r\ntype: instance\r\nacl: private\r\n---\r\n',
      '\n---\ntype: instance\nacl: private\n---',
    ]) {
      expect(project('p', content).facts).toMatchObject({ unreadable: false, acl: 'closed' });
    }
  });
});
