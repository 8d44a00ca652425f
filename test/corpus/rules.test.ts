import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DecisionRequest } from '../../src/rules/decisions/schema.ts';
import { ProposalRequest } from '../../src/rules/proposals/schema.ts';
import { SourceRequest } from '../../src/rules/sources/schema.ts';
import { grant, world, type World } from '../rules/world.ts';
import { readCorpus } from './read-corpus.ts';

const FOLDER = join(import.meta.dirname, '../../examples/rules');
const SCOPES = ['technik', 'vertrieb'];

const read = (folder: string): { readonly name: string; readonly text: string; readonly body: unknown }[] =>
  readdirSync(join(FOLDER, folder))
    .toSorted()
    .map(file => {
      const text = readFileSync(join(FOLDER, folder, file), 'utf8');
      return { name: basename(file, '.json'), text, body: JSON.parse(text) as unknown };
    });

const sources = read('sources').map(({ name, body }) => ({ name, ...SourceRequest.parse(body) }));
const rules = read('proposals').map(({ name, body }) => {
  const { proposal, decision } = body as { proposal: unknown; decision: unknown };
  return {
    id: name,
    proposal: ProposalRequest.parse(proposal),
    decision: decision === null ? null : DecisionRequest.parse(decision),
  };
});
const pages = readCorpus();
const corpus = pages.map(page => page.text).join('\n');

let w: World;
const me = grant('person:1', ['read', 'propose', 'decide'], SCOPES);
beforeAll(() => {
  w = world({ scopes: SCOPES, now: new Date('2026-01-15T09:00:00.000Z') });
  for (const scope of SCOPES) w.files.create(scope);
});
afterAll(() => w.remove());

test('there are mails and meetings in two scopes, in threads, with attachments that nobody could read', () => {
  for (const scope of SCOPES) {
    const kinds = new Set(sources.filter(source => source.scope === scope).map(({ source }) => source.kind));
    expect([scope, [...kinds].toSorted()]).toEqual([scope, ['jamie', 'mail']]);
  }
  expect(sources.length).toBeGreaterThanOrEqual(9);
  const ids = new Set(sources.map(({ source }) => source.id));
  expect(ids.size).toBe(sources.length);
  const replies = sources.flatMap(({ source }) => (source.kind === 'mail' && source.thread ? [source.thread] : []));
  expect(replies.length).toBeGreaterThanOrEqual(2);
  expect(replies.filter(root => !ids.has(root))).toEqual([]);
  const attachments = sources.flatMap(source => source.attachments);
  expect(attachments.some(({ text, external }) => text === null && external === null)).toBe(true);
  expect(new Set(attachments.map(({ text_origin }) => text_origin))).toEqual(new Set(['ocr', 'description', null]));
});

test('the people, parts, serial numbers and codes are those of the demo pages', () => {
  const people = new Set(pages.filter(({ facts }) => facts.skill === 'person').map(({ facts }) => String(facts.title)));
  const named = [
    ...sources.flatMap(({ segments }) => segments?.map(({ speaker }) => speaker!) ?? []),
    ...sources.flatMap(({ source }) => (source.sender === null ? [] : [source.sender.replace(/ <.*/, '')])),
    ...rules.map(({ proposal }) => proposal.speaker!),
  ];
  expect([...new Set(named)].filter(name => !people.has(name))).toEqual([]);
  const text = [...read('sources'), ...read('proposals')].map(file => file.text).join('\n');
  const codes = text.match(/\b(?:BR|BM)-\d{3}-\d{4}\b|\bESC-\d{4}\b|\bRAL \d{4}\b|\b[DA]B?-20\d\d-\d+\b/g)!;
  expect(codes.length).toBeGreaterThan(50);
  expect([...new Set(codes)].filter(code => !corpus.includes(code))).toEqual([]);
});

test('relations lead to demo pages, and every address is made up', () => {
  const links = new Set(pages.map(({ facts }) => `${facts.skill}::${facts.slug}`));
  const refs = rules.flatMap(({ proposal }) => proposal.relations.map(({ ref }) => ref));
  expect(refs.length).toBeGreaterThan(20);
  expect(refs.filter(ref => ref === null || !links.has(ref))).toEqual([]);
  const text = [...read('sources'), ...read('proposals')].map(file => file.text).join('\n');
  const hosts = [...text.matchAll(/(?:@|:\/\/)([a-z0-9.-]+)/g)].map(([, host]) => host!);
  expect(hosts.filter(host => !host.endsWith('.example'))).toEqual([]);
});

test('every source is stored, every quote stands in its source, and every rule gets the id of its file', async () => {
  for (const { name: _, ...source } of sources) {
    expect(await w.do('storeSource', source, me)).toMatchObject({ http: 201, created: true });
  }
  const kinds = new Set<string>();
  for (const { id, proposal, decision } of rules) {
    const made = await w.do('proposeRule', proposal, me);
    const { kind } = proposal.source;
    expect(made).toMatchObject({ ref: `rule/${id}@1`, quote_check: { checked: kind !== 'manual' } });
    kinds.add(kind);
    if (decision) await w.do('decide', { id, body: decision }, me, 'approval');
  }
  expect(kinds).toEqual(new Set(['jamie', 'mail', 'manual']));
  expect(rules.length).toBeGreaterThanOrEqual(16);
});

test('rules end in all four states: some wait for a person, one of them would replace another', async () => {
  const now = await Promise.all(
    rules.map(async ({ id, proposal }) => (await w.rules.find(proposal.scope, id))!.current),
  );
  const status = new Map<string, string>(now.map(rule => [rule.ruleId, rule.status]));
  const successors = now.filter(rule => rule.status === 'superseded').map(rule => status.get(rule.supersededBy!));
  expect(new Set(successors)).toEqual(new Set(['confirmed']));
  const reasons = now.filter(rule => rule.status === 'rejected').map(rule => rule.reason);
  expect(reasons.filter(reason => reason.length < 20)).toEqual([]);
  const count = (wanted: string): number => [...status.values()].filter(one => one === wanted).length;
  expect(count('proposed')).toBeGreaterThanOrEqual(4);
  for (const wanted of ['confirmed', 'superseded', 'rejected'])
    expect([wanted, count(wanted)]).not.toEqual([wanted, 0]);
  const waiting = rules.filter(({ id }) => status.get(id) === 'proposed');
  expect(waiting.some(({ proposal }) => proposal.supersedes !== null)).toBe(true);
  expect(new Set(waiting.map(({ proposal }) => proposal.scope))).toEqual(new Set(SCOPES));
  const edited = rules.filter(({ decision }) => decision?.decision === 'confirm' && decision.change?.statement);
  expect(edited.length).toBeGreaterThanOrEqual(2);
});

test('it is written in German and in English', () => {
  const statements = rules.map(({ proposal }) => proposal.statement);
  expect(statements.filter(text => /\b(?:the|with|before)\b/i.test(text)).length).toBeGreaterThanOrEqual(4);
  expect(statements.filter(text => /\b(?:der|die|wird|nicht)\b/.test(text)).length).toBeGreaterThanOrEqual(8);
});
