import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { page, type Caller, type Payload } from '../world.ts';
import type { Draft, Edge, Model, Person, SkillName } from './model.ts';

export const PEOPLE = {
  ann: { name: 'ann', team: true },
  bob: { name: 'bob' },
  root: { name: 'root', admin: true },
} as const satisfies Record<string, Person>;
export type Name = keyof typeof PEOPLE;

/** One course of a model and a server, with names that no other course uses. */
export interface Course {
  readonly model: Model;
  readonly callers: Readonly<Record<Name, Caller>>;
  readonly no: number;
  /** The server's clock. */
  readonly at: () => string;
  /** Writes the file of a page behind the server's back. */
  readonly edit: (id: string, text: string) => Promise<void>;
}

export const pageId = ({ no }: Course, place: number): string => `markdown/instances/course${no}/p${place}.md`;
export const slugOf = ({ no }: Course, place: number): string => `c${no}s${place}`;
export const skillId = ({ no }: Course, skill: SkillName): string => `${skill}${no}`;
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The target of a link as it is written: skills have the course's names. */
const written = (course: Course, target: string): string =>
  target.replace(/^(open|own|team)::/, (_, skill: SkillName) => `${skillId(course, skill)}::`);

export function header(course: Course, { skill, slug, who, acl, scenario, ref }: Draft): Record<string, unknown> {
  return {
    type: 'instance',
    skill: skillId(course, skill),
    id: slug,
    who,
    ...(acl === null ? {} : { acl }),
    ...(scenario === null ? {} : { scenario }),
    ...(ref === null ? {} : { ref: `[[${written(course, ref)}]]` }),
  };
}

export const body = (course: Course, { text, tail, link }: Draft): string =>
  `${text} ^p1\n\n${tail}${link === null ? '' : ` [[${written(course, link)}]]`} ^p2\n`;

export const render = (course: Course, draft: Draft): string => page(header(course, draft), body(course, draft));

export function same(actual: unknown, expected: unknown): void {
  expect(actual).toBe(expected);
}

/** Success, or the code and place of the first error. */
export const outcome = ({ ok, issues }: Payload): string => {
  const error = issues.find((issue: { severity: string }) => issue.severity === 'error');
  return ok ? 'ok' : `${error.code} at ${error.location}`;
};

const edge = ({ src_page, dst_page, dst_exists, src_field }: Payload): Edge => ({
  src: src_page,
  dst: dst_page,
  exists: dst_exists,
  field: src_field,
});
const inOrder = (edges: readonly Edge[]): string[] => edges.map(each => JSON.stringify(each)).sort();

/** Everything one person sees of every page and link, in one view, against the model. */
export async function checkReads(course: Course, name: Name, scenario: string | null): Promise<void> {
  const { model, callers } = course;
  const [who, caller, view] = [PEOPLE[name], callers[name], { scenario }];
  const asked = scenario === null ? {} : { scenario };
  for (let place = 0; place < PLACES; place += 1) {
    const id = pageId(course, place);
    await checkPage(course, name, id, scenario);
    const { edges } = await caller.call('neighbours', { page_id: id, ...asked });
    expect(inOrder(edges.map(edge)), `edges of ${id} for ${name}`).toEqual(inOrder(model.edges(who, id, view)));
  }
  for (const skill of ['open', 'own', 'team'] as const) {
    const { instances } = await caller.call('list_instances', { skill_id: skillId(course, skill), ...asked });
    const ids = instances.map((row: Payload) => row.page_id);
    expect(ids, `${skill} for ${name}`).toEqual(model.instances(who, skill, view));
  }
  for (let place = 0; place < SLUGS; place += 1) {
    for (const target of [slugOf(course, place), `own::${slugOf(course, place)}`]) {
      const answer = await caller.call('resolve', { wikilink: `[[${written(course, target)}]]`, ...asked });
      expect(answer.page?.page_id, `${target} for ${name}`).toBe(model.resolve(who, target, view));
    }
  }
}

export const PLACES = 5;
export const SLUGS = 3;

async function checkPage(course: Course, name: Name, id: string, scenario: string | null): Promise<void> {
  const { model, callers } = course;
  const answer = await callers[name].call('expand', { page_id: id, ...(scenario === null ? {} : { scenario }) });
  const shown = model.shown(PEOPLE[name], id, { scenario });
  if (shown === undefined) return expect(answer, `${id} for ${name}`).toEqual({ page: null });
  const draft = model.live(shown)!;
  expect(answer, `${id} for ${name}`).toMatchObject({
    page: { page_id: shown, slug: draft.slug, last_written_by: model.head(shown)!.author },
    frontmatter: header(course, draft),
    body: body(course, draft),
    version: `v${model.versionNo(shown)}`,
  });
}

/** The past of every page, archived ones too: each version at its moment, to those whom its header lets in now and then. */
export async function checkPast(course: Course, name: Name): Promise<void> {
  const { model, callers } = course;
  const who = PEOPLE[name];
  for (let place = 0; place < PLACES; place += 1) {
    const id = pageId(course, place);
    const versions = model.pages.get(id) ?? [];
    const seen = model.readable(who, id) ? versions.map(({ at }) => at) : [];
    expect((await callers[name].call('list_snapshots', { page_id: id })).snapshots, `past of ${id}`).toEqual(seen);
    for (const { at } of versions) {
      const answer = await callers[name].call('expand', { page_id: id, as_of: at });
      const past = model.seenAt(who, id, at);
      expect(answer.body, `${id} at ${at} for ${name}`).toBe(past && body(course, past));
    }
  }
}

/** Lists, links and their targets as they were at a moment. */
export async function checkMoment(course: Course, name: Name, at: string): Promise<void> {
  const { model, callers } = course;
  const [who, caller] = [PEOPLE[name], callers[name]];
  for (const skill of ['open', 'own', 'team'] as const) {
    for (const scenario of [null, 'plan']) {
      const asked = { skill_id: skillId(course, skill), as_of: at, ...(scenario === null ? {} : { scenario }) };
      const { instances } = await caller.call('list_instances', asked);
      const ids = instances.map((row: Payload) => row.page_id);
      expect(ids, `${skill} at ${at} for ${name} in ${scenario}`).toEqual(model.instancesAt(who, skill, at, scenario));
      for (const { page_id, frontmatter } of instances)
        expect(frontmatter).toMatchObject(header(course, model.seenAt(who, page_id, at, scenario)!));
    }
  }
  for (let place = 0; place < PLACES; place += 1) {
    const id = pageId(course, place);
    const { edges } = await caller.call('neighbours', { page_id: id, as_of: at });
    expect(inOrder(edges.map(edge)), `edges of ${id} at ${at} for ${name}`).toEqual(
      inOrder(model.edgesAt(who, id, at)),
    );
  }
  for (let place = 0; place < SLUGS; place += 1) {
    for (const target of [slugOf(course, place), `own::${slugOf(course, place)}`]) {
      for (const scenario of [null, 'plan']) {
        const asked = {
          wikilink: `[[${written(course, target)}]]`,
          as_of: at,
          ...(scenario === null ? {} : { scenario }),
        };
        const found = await caller.call('resolve', asked);
        expect(found.page?.page_id, `${target} at ${at} for ${name} in ${scenario}`).toBe(
          model.resolveAt(who, target, at, scenario),
        );
      }
    }
  }
}

/** What a search for a word of one page shows is that page, and nothing that may not be read. */
export async function checkSearch(course: Course, name: Name, word: string): Promise<void> {
  const { hits } = await course.callers[name].call('search', { q: word, granularity: 'page', k: 50 });
  const who = PEOPLE[name];
  const ours = hits
    .map((hit: Payload) => hit.page_id as string)
    .filter((id: string) => id.includes(`/course${course.no}/`));
  for (const id of ours) expect(course.model.readable(who, id), `${id} found by ${name}`).toBe(true);
  const having = [...course.model.pages.keys()].filter(id => {
    const draft = course.model.live(id);
    return draft?.scenario === null && draft.text.includes(word) && course.model.mayRead(who, draft);
  });
  expect(ours).toEqual(expect.arrayContaining(having));
}
