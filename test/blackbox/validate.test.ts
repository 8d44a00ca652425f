import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cairn } from './cairn.ts';
import type { Client } from './client.ts';
import { instance, page, path, skill, skillPath, writeInstance, writeSkill } from './page.ts';
import { startRoomy } from './roomy.ts';

let cairn: Cairn;
let admin: Client;
let agent: Client;
beforeAll(async () => {
  ({ cairn, admin, agent } = await startRoomy());
  await writeSkill(admin, 'customer', 'required_frontmatter: [tier]');
  await writeSkill(admin, 'meeting', 'required_frontmatter: [at, customer]');
  await writeSkill(admin, 'strict', 'required_frontmatter: [id, title]');
  await writeSkill(admin, 'diary', 'visibility: owner\nowner_field: author');
  await writeInstance(admin, 'customer', 'acme', 'tier: gold', 'Text ^here\n\n## Known heading\n');
  await writeInstance(admin, 'diary', 'secret', 'author: bob', 'Hidden ^mark\n');
});
afterAll(() => cairn.stop());

const validate = (content: string, args: object = {}, who = admin) => who.ok('validate', { content, ...args });
/** Each issue as `severity code location`. */
const issues = async (content: string, who = admin): Promise<string[]> =>
  (await validate(content, {}, who)).issues.map(
    ({ severity, code, location }: Record<string, string>) => `${severity} ${code} ${location}`,
  );
const customer = (body: string, header = ''): string => instance('customer', 'x', `tier: gold\n${header}`, body);

test('E341 ok is false for an error, true for warnings; nothing is written; as_page_id changes nothing', async () => {
  expect(await validate(customer('fine\n'))).toEqual({ ok: true, issues: [] });
  expect(await validate(customer('fine\n'), { as_page_id: path('customer', 'x') })).toEqual({ ok: true, issues: [] });
  expect(await validate(customer('[[customer::]]\n'))).toMatchObject({ ok: true, issues: [{ severity: 'warning' }] });
  expect((await validate(instance('nosuch', 'x'))).ok).toBe(false);
  expect((await admin.ok('expand', { page_id: path('customer', 'x') })).page).toBeNull();
});

test('E342 an unreadable draft has one issue', async () => {
  for (const content of ['', 'text', '---\nx', page('type: thing'), page('- a'), page('a: [')])
    expect(await issues(content)).toEqual(['error frontmatter_parse frontmatter']);
});

test('E343 an issue has severity, code, location and message, and suggestion only when there is one', async () => {
  const all = (await validate(instance('nosuch', '""', 'x: "[[customer::]]"', '[[customer::none]]\n'))).issues;
  expect(all.length).toBeGreaterThan(2);
  for (const issue of all) {
    const { suggestion, ...rest } = issue;
    expect(Object.keys(rest).toSorted()).toEqual(['code', 'location', 'message', 'severity']);
    expect('suggestion' in issue ? suggestion : 'none').toMatch(/\w/);
    expect(rest.location).toMatch(/^(line:\d+ col:\d+|frontmatter\.\S+)$/);
  }
});

test('E343 a location in the body is line and column of the file', async () => {
  expect(await issues(customer('One.\n\nSee [[nosuch::a]], and\n  [[nosuch::b]].\n'))).toEqual([
    'error unknown_skill line:9 col:5',
    'error unknown_skill line:10 col:3',
  ]);
});

test.each(['', 'id:', 'id: ""', 'id: 7', 'id: [a]'])('E344 an instance with %j has no id', async id => {
  expect(await issues(page(`type: instance\nskill: customer\ntier: a\n${id}`))).toEqual([
    'error frontmatter_required_key_missing frontmatter.id',
  ]);
});

test('E345 a required key must be there, empty or not', async () => {
  expect(await issues(instance('customer', 'x'))).toEqual(['error frontmatter_required_key_missing frontmatter.tier']);
  for (const tier of ['tier:', 'tier: ""', 'tier: []'])
    expect(await issues(instance('customer', 'x', tier))).toEqual([]);
});

test('E346 a missing id that the skill asks for is told twice', async () => {
  expect(await issues(page('type: instance\nskill: strict\ntitle: t'))).toEqual([
    'error frontmatter_required_key_missing frontmatter.id',
    'error frontmatter_required_key_missing frontmatter.id',
  ]);
});

test('E347 a skill draft is held to what its stored page asks for', async () => {
  expect(await issues(skill('strict'))).toEqual(['error frontmatter_required_key_missing frontmatter.title']);
  expect(await issues(skill('fresh', 'required_frontmatter: [title]'))).toEqual([]);
});

test('E348 an instance of an unknown skill', async () => {
  expect(await issues(instance('nosuch', 'x'))).toEqual(['error unknown_skill frontmatter.skill']);
  expect(await issues(page('type: instance\nid: x'))).toEqual(['error unknown_skill frontmatter.skill']);
});

test('E349 a typed link to an unknown skill, in body or header', async () => {
  expect(await issues(customer('[[nosuch::a]]\n', 'see: "[[nosuch::b]]"'))).toEqual([
    'error unknown_skill line:8 col:1',
    'error unknown_skill frontmatter.see',
  ]);
});

test('E350 skill::x is known by its skill', async () => {
  expect(await issues(customer('[[skill::customer]]\n'))).toEqual([]);
  expect(await issues(customer('[[skill::nosuch]]\n'))).toEqual(['error unknown_skill line:7 col:1']);
});

test('E351 a typed link without an id is a warning', async () => {
  expect(await issues(customer('[[customer::]]\n'))).toEqual(['warning wikilink_parse line:7 col:1']);
});

test('E352 a bare link is never an issue', async () => {
  expect(await issues(customer('[[nobody]] [[nosuch#x@v1|y]]\n', 'see: "[[nobody]]"'))).toEqual([]);
});

test('E353 a link to a missing page in a required key is an error', async () => {
  const draft = instance('meeting', 'm', 'at: 2026-01-01T00:00:00Z\ncustomer: "[[customer::none]]"');
  expect(await issues(draft)).toEqual(['error dangling_wikilink frontmatter.customer']);
});

test('E354 elsewhere it is a warning', async () => {
  expect(await issues(customer('[[customer::none]]\n', 'see: ["[[customer::none]]"]'))).toEqual([
    'warning dangling_wikilink frontmatter.see',
    'warning dangling_wikilink line:8 col:1',
  ]);
});

test('E355 an anchor that is not there is a warning', async () => {
  const body =
    '[[customer::acme#here]] [[customer::acme#Known heading]] [[customer::acme#blk-0]] [[customer::acme#gone]]\n';
  expect(await issues(customer(body))).toEqual([
    `warning anchor_missing line:7 col:${body.indexOf('[[customer::acme#gone') + 1}`,
  ]);
});

test('E356 at of an event-typed skill must be a time', async () => {
  const at = (value: string) => instance('meeting', 'm', `customer: x\nat: ${value}`);
  expect(await issues(at('2026-04-12T10:00:00+02:00'))).toEqual([]);
  for (const bad of ['tomorrow', '"2026-13-01T00:00:00Z"', '[]', '""', 'null'])
    expect(await issues(at(bad))).toEqual(['error frontmatter_at_invalid frontmatter.at']);
  expect(await issues(instance('meeting', 'm', 'customer: x'))).toEqual([
    'error frontmatter_required_key_missing frontmatter.at',
  ]);
  expect(await issues(customer('', 'at: tomorrow'))).toEqual([]);
});

test.each(['maybe', '7', '""', '[auto]', '', '{auto: true}'])('E357 autonomy %j on a skill page', async value => {
  const { issues: found } = await validate(skill('fresh', `autonomy: ${value}`));
  expect(found).toMatchObject([
    { severity: 'error', code: 'frontmatter_autonomy_unknown', location: 'frontmatter.autonomy' },
  ]);
  for (const word of ['auto', 'review', 'confirm']) expect(found[0].suggestion).toContain(word);
});

test('E357 E358 the three words in any spelling, and autonomy on an instance, are no issue', async () => {
  for (const value of ['auto', ' "  Review "', 'CONFIRM'])
    expect(await issues(skill('fresh', `autonomy: ${value}`))).toEqual([]);
  expect(await issues(customer('', 'autonomy: whatever'))).toEqual([]);
});

test.each(['text', '7', '[a, b]', '[{kind: string}]', '[{name: 7}]', '[{name: ""}]'])(
  'E359 params: %s',
  async value => {
    const { issues: found } = await validate(skill('fresh', `params: ${value}`));
    expect(found).toMatchObject([
      {
        severity: 'error',
        code: 'frontmatter_params_malformed',
        location: 'frontmatter.params',
        suggestion: expect.any(String),
      },
    ]);
  },
);

test('E360 a kind that cannot be read is a warning', async () => {
  expect(await issues(skill('fresh', 'params: [{name: a, kind: money}, {name: b, type: INT}]'))).toEqual([
    'warning frontmatter_param_kind_unknown frontmatter.params.a.kind',
  ]);
});

test('E361 params on an instance are its own', async () => {
  expect(await issues(customer('', 'params: nonsense'))).toEqual([]);
});

test('E362 the order of findings', async () => {
  const draft = instance(
    'meeting',
    '""',
    'at: tomorrow\nsee: "[[customer::gone]] [[nosuch::b]] [[customer::]]"',
    '[[customer::lost]] [[nosuch::a]] [[customer::]]\n',
  );
  const codes = (await validate(draft)).issues.map(({ code }: { code: string }) => code);
  expect(codes.filter((code: string) => code !== 'frontmatter_at_invalid')).toEqual([
    'frontmatter_required_key_missing', // id
    'frontmatter_required_key_missing', // customer
    'unknown_skill', // body
    'wikilink_parse',
    'unknown_skill', // header
    'wikilink_parse',
    'dangling_wikilink', // header
    'dangling_wikilink', // body
  ]);
  const skillDraft = skill('fresh', 'params: nonsense\nautonomy: maybe', '[[nosuch::a]]\n');
  expect((await validate(skillDraft)).issues.map(({ code }: { code: string }) => code)).toEqual([
    'frontmatter_autonomy_unknown',
    'frontmatter_params_malformed',
    'unknown_skill',
  ]);
});

test('E364 a hidden target answers as a missing one', async () => {
  for (const id of ['secret', 'missing'])
    expect(await issues(customer(`[[diary::${id}#mark]]\n`), agent)).toEqual([
      'warning dangling_wikilink line:7 col:1',
    ]);
  expect(await issues(customer('[[diary::secret#mark]]\n'))).toEqual([]);
  const hidden = (await validate(customer('[[diary::secret]]\n'), {}, agent)).issues[0].message;
  const missing = (await validate(customer('[[diary::missing]]\n'), {}, agent)).issues[0].message;
  expect(hidden.replace('secret', 'missing')).toBe(missing);
});

test('E364 as_page_id of a hidden page tells nothing', async () => {
  const draft = instance('diary', 'secret', 'author: ann');
  const answers = [];
  for (const as_page_id of [undefined, path('diary', 'secret'), path('diary', 'missing'), skillPath('customer')])
    answers.push(JSON.stringify(await validate(draft, { as_page_id }, agent)));
  expect(new Set(answers).size).toBe(1);
});
