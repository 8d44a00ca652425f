import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAnchor } from '../../src/pages/index.ts';
import { CORPUS, readCorpus, type CorpusPage } from './read-corpus.ts';

const pages = readCorpus();
const skills = new Map(pages.filter(({ facts }) => facts.pageType === 'skill').map(page => [page.facts.slug, page]));
const instances = pages.filter(({ facts }) => facts.pageType === 'instance');
const byLink = new Map(instances.map(page => [`${page.facts.skill}::${page.facts.slug}`, page]));
const links = pages.flatMap(page => page.parsed.links.map(link => ({ ...link, path: page.path })));

/** Pages that the story announces and that are not written yet: an agent should notice them. */
const DANGLING = [
  'instances/part/br-360-0118.md [[part::br-360-0125]]',
  'instances/project/duenengold-linie-3.md [[machine::bm-360-0052]]',
  'instances/project/serialisierung-quellmoos.md [[meeting::2025-11-05-quellmoos-kundenabnahme]]',
];

function target(skill: string | null, id: string | null): CorpusPage | undefined {
  return skill === 'skill' ? skills.get(id) : byLink.get(`${skill}::${id}`);
}

test('there is enough of it, and nothing but pages', () => {
  expect(skills.size).toBeGreaterThanOrEqual(9);
  expect(instances.length).toBeGreaterThanOrEqual(70);
  expect(byLink.size).toBe(instances.length);
  const files = readdirSync(CORPUS, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  expect(files.filter(({ name }) => !name.endsWith('.md'))).toEqual([]);
  expect(files).toHaveLength(pages.length);
});

test('every header can be read, and every page lies where its header says', () => {
  for (const { path, parsed, facts } of pages) {
    expect([path, parsed.problem]).toEqual([path, null]);
    const place = facts.pageType === 'skill' ? `skills/${facts.slug}.md` : `instances/${facts.skill}/${facts.slug}.md`;
    expect(path).toBe(place);
    expect([path, typeof parsed.frontmatter['title'], facts.scenario, facts.archived]).toEqual([
      path,
      'string',
      null,
      false,
    ]);
  }
});

test('every link is typed and leads to a page, but for those that the story leaves open', () => {
  expect(links.length).toBeGreaterThan(500);
  expect(links.filter(({ link }) => link.skill === null || link.id === null)).toEqual([]);
  const dangling = links.filter(({ link }) => !target(link.skill, link.id)).map(({ path, text }) => `${path} ${text}`);
  expect(dangling).toEqual(DANGLING);
});

test('every anchor that a link names is there', () => {
  const anchored = links.filter(({ link }) => link.anchor !== null);
  expect(anchored.length).toBeGreaterThan(20);
  const missing = anchored.filter(({ link }) => {
    const page = target(link.skill, link.id);
    return !page || !findAnchor(page.parsed.blocks, link.anchor!);
  });
  expect(missing.map(({ path, text }) => `${path} ${text}`)).toEqual([]);
});

test('every anchor that is written names a block', () => {
  const written = pages.flatMap(({ path, text, parsed }) =>
    [...text.matchAll(/ \^([a-z0-9-]+)$/gm)].map(([, name]) => ({
      place: `${path} ^${name}`,
      named: parsed.blocks.some(({ anchor }) => anchor === name),
    })),
  );
  expect(written.length).toBeGreaterThan(20);
  expect(written.filter(({ named }) => !named)).toEqual([]);
});

test('every instance has the keys that its skill requires, and none that the skill does not know', () => {
  const always = ['type', 'skill', 'id', 'title', 'description', 'acl'];
  const faults = instances.flatMap(({ path, parsed, facts }) => {
    const declared = skills.get(facts.skill)!.parsed.frontmatter;
    const required = declared['required_frontmatter'] as string[];
    const known = new Set([...always, ...required, ...(declared['optional_frontmatter'] as string[])]);
    const keys = Object.keys(parsed.frontmatter);
    const missing = required.filter(key => !keys.includes(key) || (key === 'at' && facts.at === null));
    return [...missing, ...keys.filter(key => !known.has(key))].map(key => `${path}: ${key}`);
  });
  expect(faults).toEqual([]);
});

test('it shows what skills can declare', () => {
  const declared = (key: string) => [...skills.values()].filter(({ parsed }) => key in parsed.frontmatter).length;
  const required = [...skills.values()].map(({ parsed }) => parsed.frontmatter['required_frontmatter'] as string[]);
  expect(required.filter(keys => keys.includes('at')).length).toBeGreaterThanOrEqual(3);
  for (const key of ['acl', 'visibility', 'owner_field', 'autonomy', 'params'])
    expect([key, declared(key)]).not.toEqual([key, 0]);
  expect(instances.some(({ facts }) => facts.acl !== null)).toBe(true);
});

test('private notes have an owner who can be resolved', () => {
  const notes = instances.filter(({ facts }) => facts.skill === 'personal_note');
  for (const { parsed } of notes) {
    const author = parsed.links.find(({ field }) => field === 'frontmatter.author');
    expect(target(author!.link.skill, author!.link.id)?.parsed.frontmatter['credential']).toMatch(
      /@brandauer\.example$/,
    );
  }
  expect(notes.length).toBeGreaterThan(0);
});

/** Page and linked page, for every link under a header key. */
function pairs(key: string): [string, string][] {
  return instances.flatMap(({ path, parsed }) =>
    parsed.links
      .filter(({ field }) => field === `frontmatter.${key}`)
      .map(({ link }): [string, string] => [path, target(link.skill, link.id)!.path]),
  );
}

test('what supersedes a page is named by that page', () => {
  const forward = pairs('supersedes').map(([newer, older]) => `${newer} > ${older}`);
  const back = pairs('superseded_by').map(([older, newer]) => `${newer} > ${older}`);
  expect(forward.toSorted()).toEqual(back.toSorted());
  expect(forward.length).toBeGreaterThanOrEqual(4);
  const replaced = new Set(pairs('superseded_by').map(([older]) => older));
  const decisions = instances.filter(({ path, facts }) => facts.skill === 'decision' && replaced.has(path));
  expect(decisions.map(({ parsed }) => parsed.frontmatter['status'])).toEqual(['ersetzt', 'ersetzt']);
});

test('it is written in German and in English, with umlauts, compounds, codes, tables, lists and code', () => {
  const text = pages.map(page => page.text).join('\n');
  const words = [
    'Auftragsbestätigung',
    'Ersatzteilverfügbarkeit',
    'Gabellichtschranke',
    'RAL 9005',
    'ESC-4012',
    '1.0.21',
    'BR-220-0471',
  ];
  expect(words.filter(word => !text.includes(word))).toEqual([]);
  const english = instances.filter(({ parsed }) => (parsed.body.match(/\b(?:the|was|with)\b/g) ?? []).length > 3);
  expect(english.length).toBeGreaterThanOrEqual(10);
  expect(text).toMatch(/^\| -{3,} \|/m);
  expect(text).toMatch(/^1\. /m);
  expect(text).toMatch(/^```\w+$/m);
});
