import fc from 'fast-check';
import { SKILLS, type Draft, type Rule, type Version } from './model.ts';
import {
  checkMoment,
  checkReads,
  checkSearch,
  outcome,
  pageId,
  PEOPLE,
  PLACES,
  render,
  same,
  sha256,
  slugOf,
  SLUGS,
  type Course,
  type Name,
} from './wire.ts';

/** One step of a course: asks the server, asks the model, compares, and says what it did. */
export interface Command {
  run(course: Course): Promise<void>;
  toString(): string;
}

const person = fc.constantFrom<Name>('ann', 'bob', 'root');
const place = fc.nat(PLACES - 1);
const target = fc.option(fc.tuple(fc.constantFrom(...SKILLS, null), fc.nat(SLUGS)), { nil: null });
const guard = fc.constantFrom('none', 'none', 'head', 'stale', 'absent', 'hash', 'no page');
let words = 0;
const word = (): string => `wq${(words += 1)}zx`;

const draft = fc.record({
  skill: fc.constantFrom(...SKILLS),
  slug: fc.nat(SLUGS - 1),
  who: fc.constantFrom('ann', 'bob'),
  acl: fc.constantFrom<Rule | null>(
    null,
    null,
    null,
    { read: ['team'] },
    { read: [], update: ['public'] },
    { update: ['team'] },
  ),
  scenario: fc.constantFrom(null, null, null, 'plan'),
  ref: target,
  link: target,
});

type Generated = typeof draft extends fc.Arbitrary<infer T> ? T : never;
type Target = readonly [skill: string | null, slug: number] | null;
const named = (course: Course, link: Target): string | null =>
  link && (link[0] === null ? slugOf(course, link[1]) : `${link[0]}::${slugOf(course, link[1])}`);

const command = <T>(name: string, values: fc.Arbitrary<T>, run: (course: Course, value: T) => Promise<void>) =>
  values.map((value): Command => ({
    run: course => run(course, value),
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));

const made = (course: Course, name: Name, text: Draft): Version => ({
  draft: text,
  archived: false,
  at: course.at(),
  author: PEOPLE[name].name,
});

/** What a whole-page write must come to; where it is taken, the model takes it too. */
function written(course: Course, name: Name, id: string, text: Draft, guardedBy: string | null): string {
  const { model } = course;
  if (!model.mayWrite(PEOPLE[name], id, text)) return 'forbidden at frontmatter';
  if (guardedBy !== null) return `conflict at ${guardedBy}`;
  model.add(id, made(course, name, text));
  return 'ok';
}

/** A generated draft in the names of the course, with words of its own. */
const filled = (course: Course, given: Generated): Draft => ({
  ...given,
  slug: slugOf(course, given.slug),
  ref: named(course, given.ref),
  link: named(course, given.link),
  text: word(),
  tail: word(),
});

const update = command('update', fc.record({ name: person, place, draft, guard }), async (course, given) => {
  const { model, callers } = course;
  const id = pageId(course, given.place);
  const text = filled(course, given.draft);
  const live = model.live(id);
  const head = live ? `v${model.versionNo(id)}` : 'v1';
  const guards = {
    none: [{}, null],
    head: [{ base_version: head, require_exact_base: true }, live ? null : 'base_version'],
    stale: [{ base_version: 'v99', require_exact_base: true }, 'base_version'],
    absent: [{ if_absent: true }, live ? 'if_absent' : null],
    hash: [{ base_sha256: live ? sha256(render(course, live)) : 'none' }, live ? null : 'base_sha256'],
    'no page': [{ base_sha256: '' }, live ? 'base_sha256' : null],
  } as const;
  const [args, broken] = guards[given.guard as keyof typeof guards];
  const answer = await callers[given.name].call('update_page', { page_id: id, content: render(course, text), ...args });
  same(outcome(answer), written(course, given.name, id, text, broken));
  if (answer.ok) same(answer.new_version, `v${model.versionNo(id)}`);
});

/** Two edits of one base: the second is joined with the first when they touch different paragraphs. */
const merge = command('merge', fc.record({ name: person, place, base: fc.nat(3) }), async (course, given) => {
  const { model, callers } = course;
  const id = pageId(course, given.place);
  const [head, base] = [model.live(id), model.pages.get(id)?.at(-1 - given.base)];
  if (!head || !base || base.archived || !model.mayRead(PEOPLE[given.name], base.draft)) return;
  const mine: Draft = { ...base.draft, text: word() };
  const apart = head.text === base.draft.text;
  const stale = given.base > 0;
  // The merged text has the header of the head; a draft of another header is not generated here.
  const joined: Draft = stale ? { ...head, text: mine.text } : mine;
  if (stale && !apart) return;
  const base_version = `v${model.versionNo(id) - given.base}`;
  const answer = await callers[given.name].call('update_page', {
    page_id: id,
    content: render(course, mine),
    base_version,
  });
  const may = model.mayWrite(PEOPLE[given.name], id, mine);
  const readable = model.readable(PEOPLE[given.name], id);
  const expected =
    may && stale && !readable
      ? 'conflict at base_version'
      : may
        ? written(course, given.name, id, joined, null)
        : 'forbidden at frontmatter';
  same(outcome(answer), expected);
  if (answer.ok) same(answer.auto_merged, stale);
});

const patch = command('patch', fc.record({ name: person, place, stale: fc.boolean() }), async (course, given) => {
  const { model, callers } = course;
  const id = pageId(course, given.place);
  const live = model.live(id);
  const text = word();
  const expected_sha256 = sha256(given.stale || !live ? 'something else' : live.text);
  const args = { page_id: id, anchor: 'p1', action: 'replace', content: text, expected_sha256 };
  const answer = await callers[given.name].call('patch_page', args);
  const seen = live && model.readable(PEOPLE[given.name], id);
  const expected = !seen
    ? 'not_found at page_id'
    : given.stale
      ? 'conflict at expected_sha256'
      : written(course, given.name, id, { ...live, text }, null);
  same(outcome(answer), expected);
});

const remove = command('delete', fc.record({ name: person, place }), async (course, given) => {
  const { model, callers } = course;
  const id = pageId(course, given.place);
  const answer = await callers[given.name].call('delete_page', { page_id: id });
  const live = model.live(id);
  const denied = left(course, given.name, id, false);
  same(outcome(answer), denied === null ? 'ok' : denied === 'hidden' ? 'not_found at page_id' : denied);
  if (live && denied === null) model.add(id, { ...made(course, given.name, live), archived: true });
});

/** Why a page may not be taken away; `hidden` when the caller is not even told that it is there. */
function left({ model }: Course, name: Name, id: string, moving: boolean): string | null {
  if (!model.live(id)) return 'hidden';
  if (model.mayLeave(PEOPLE[name], id, moving)) return null;
  return model.readable(PEOPLE[name], id) ? 'forbidden at frontmatter' : 'hidden';
}

const move = command('move', fc.record({ name: person, from: place, to: place }), async (course, given) => {
  const { model, callers } = course;
  const [from, to] = [pageId(course, given.from), pageId(course, given.to)];
  const answer = await callers[given.name].call('move_page', { from, to });
  const denied = from === to ? 'hidden' : left(course, given.name, from, true);
  const over = model.head(to) !== undefined;
  const expected =
    denied === 'hidden'
      ? 'not_found at from'
      : (denied ??
        (model.live(to)
          ? 'conflict at to'
          : over && !model.mayWrite(PEOPLE[given.name], to, model.live(from)!)
            ? 'forbidden at frontmatter'
            : 'ok'));
  same(outcome(answer), expected);
  if (answer.ok) model.move(from, to, course.at());
});

const restore = command(
  'restore',
  fc.record({ name: person, place, version: fc.integer({ min: 0, max: 6 }) }),
  async (course, given) => {
    const { model, callers } = course;
    const id = pageId(course, given.place);
    const head = model.head(id);
    const old = model.pages.get(id)?.[given.version - 1];
    const answer = await callers[given.name].call('restore_page', { page_id: id, version: `v${given.version}` });
    const who = PEOPLE[given.name];
    const expected =
      !head || !model.mayRead(who, head.draft)
        ? 'not_found at page_id'
        : !old || old.archived || !model.mayRead(who, old.draft)
          ? 'not_found at version'
          : written(course, given.name, id, old.draft, null);
    same(outcome(answer), expected);
  },
);

/** Somebody edits the file of a page, or puts one there: nobody's rights are asked, and history goes on. */
const edit = command('edit the file', fc.record({ place, draft }), async (course, given) => {
  const { model } = course;
  const id = pageId(course, given.place);
  if (model.head(id)?.archived) return;
  const text = filled(course, given.draft);
  await course.edit(id, render(course, text));
  model.add(id, { draft: text, archived: false, at: course.at(), author: 'external' });
  const { snapshots } = await course.callers.root.call('list_snapshots', { page_id: id });
  same(snapshots.length, model.versionNo(id));
});

const read = command(
  'read',
  fc.record({ name: person, scenario: fc.constantFrom(null, 'plan', 'other') }),
  (course, given) => checkReads(course, given.name, given.scenario),
);

const readPast = command('read the past', fc.record({ name: person, back: fc.nat(25) }), (course, { name, back }) =>
  checkMoment(course, name, new Date(Date.parse(course.at()) - back * 1000).toISOString()),
);

const search = command('search', fc.record({ name: person, place }), async (course, given) => {
  const live = course.model.live(pageId(course, given.place));
  if (live) await checkSearch(course, given.name, live.text);
});

/** Four pages to begin with, one a skill and an overlay, so that a course is about more than absent pages. */
export async function plant(course: Course): Promise<void> {
  for (const [at, skill] of [...SKILLS, SKILLS[0]].entries()) {
    const overlay = at === SKILLS.length;
    const text: Draft = {
      skill,
      slug: slugOf(course, overlay ? 0 : at),
      who: at % 2 === 0 ? 'ann' : 'bob',
      acl: null,
      scenario: overlay ? 'plan' : null,
      ref: `own::${slugOf(course, 1)}`,
      link: slugOf(course, 0),
      text: word(),
      tail: word(),
    };
    const id = pageId(course, at);
    await course.callers.root.call('update_page', { page_id: id, content: render(course, text) });
    course.model.add(id, made(course, 'root', text));
  }
}

/** Every kind of step. Another door to the pages joins here: a step is all that it has to bring. */
export const commands = fc.oneof(
  { arbitrary: update, weight: 8 },
  { arbitrary: merge, weight: 2 },
  { arbitrary: patch, weight: 2 },
  { arbitrary: remove, weight: 2 },
  { arbitrary: move, weight: 2 },
  { arbitrary: restore, weight: 2 },
  { arbitrary: edit, weight: 1 },
  { arbitrary: read, weight: 2 },
  { arbitrary: readPast, weight: 2 },
  { arbitrary: search, weight: 1 },
);
