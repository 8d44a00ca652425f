import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clock } from '../../src/rules/bundles/head.ts';
import { beginning } from '../../src/rules/bundles/entries.ts';
import { calendarIn } from '../../src/rules/calendar.ts';
import {
  ANNA,
  confirmed,
  decide,
  FEEDER,
  mail,
  MAIL_ID,
  meeting,
  proposal,
  proposed,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const read = (ref: string, more: Record<string, unknown> = {}) => here.do('readRule', { ref, ...more });
const DAY = 86_400_000;
const groups = (answer: Record<string, unknown>) =>
  Object.fromEntries(
    (answer['groups'] as { kind: string; count: number; more: number; entries: { ref: string }[] }[]).map(
      ({ kind, count, more, entries }) => [kind, [count, more, ...entries.map(({ ref }) => ref)]],
    ),
  );

describe('a bundle', () => {
  const attachment = (n: number, text: string | null = null) => ({
    filename: `plan-${n}.pdf`,
    media_type: 'application/pdf',
    size: 1,
    external: null,
    text,
    text_origin: text === null ? null : 'ocr',
  });

  test('[RU74] has the groups there are, in order, with the newest five', async () => {
    const id = 'mail:<2@example.com>';
    const attachments = [1, 2, 3, 4, 5, 6, 7].map(n => attachment(n, n < 3 ? 'text' : null));
    await here.do(
      'storeSource',
      mail({ id, thread: MAIL_ID, occurred_at: '2026-03-12T09:30:00Z' }, { attachments }),
      FEEDER,
    );
    for (let n = 3; n < 9; n++) {
      await here.do(
        'storeSource',
        mail({ id: `mail:<${n}@example.com>`, thread: MAIL_ID, occurred_at: `2026-03-12T09:3${n}:00Z` }),
        FEEDER,
      );
    }
    await here.do('storeSource', mail({ id: 'mail:<alone@example.com>' }), FEEDER);
    const related = [await confirmed(here), await confirmed(here)];
    await confirmed(here, { relations: [{ kind: 'product', name: 'Other', ref: null }] });
    await proposed(here);
    const old = await confirmed(here);
    const rule = await confirmed(here, {
      source: { ...proposal().source, id },
      supersedes: old,
      valid_from: '2026-03-12',
    });
    const answer = await read(`rule/${rule}`);
    expect(answer.groups.map((one: { kind: string }) => one.kind)).toEqual([
      'source',
      'thread',
      'attachment',
      'predecessor',
      'same-relation',
    ]);
    expect(groups(answer)).toEqual({
      source: [1, 0, `source/${id}`],
      thread: [7, 2, ...[8, 7, 6, 5, 4].map(n => `source/mail:<${n}@example.com>`)],
      attachment: [7, 2, ...[1, 2, 3, 4, 5].map(n => `attachment/${id}#${n}`)],
      predecessor: [1, 0, `rule/${old}@3`],
      'same-relation': [2, 0, ...related.map(one => `rule/${one}@2`)],
    });
    expect(answer.line).toBe(
      `Rule from 2026-03-12: ${proposal().statement} — with 1 mail, 7 mails in thread, 7 attachments (5 unread), ` +
        `replaces ${old}, 2 related rules; last reviewed 0 days ago`,
    );
    expect(groups(await read(`rule/${old}`))).toMatchObject({ successor: [1, 0, `rule/${rule}@2`] });
    expect((await read(`rule/${old}`)).line).toMatch(
      /^Superseded Rule from .* superseded by sales-0006, 2 related rules; /,
    );
    expect(
      answer.groups
        .flatMap((one: { entries: { origin: string; proposed: boolean }[] }) =>
          one.entries.map(entry => [entry.origin, entry.proposed]),
        )
        .flat(),
    ).not.toContain(true);
  });

  test('[RU74] the first mail of a thread belongs to it', async () => {
    await here.do('storeSource', mail({ id: 'mail:<2@example.com>', thread: MAIL_ID }), FEEDER);
    const rule = await confirmed(here);
    expect(groups(await read(`rule/${rule}`))['thread']).toEqual([1, 0, 'source/mail:<2@example.com>']);
  });

  test('[RU74] a meeting is named as one, own words have no source group', async () => {
    await here.do('storeSource', meeting(), FEEDER);
    const quote = 'to Switzerland only with customs papers';
    const source = {
      kind: 'jamie',
      id: 'jamie:weekly-1',
      quote,
      timestamp_s: 3910,
      link: 'https://meet.example.com/1',
    };
    expect((await refusal(here.do('proposeRule', proposal({ source }), FEEDER)))['code']).toBe('quote-not-found');
    const rule = await proposed(here, { source: { ...source, timestamp_s: 310 }, relations: [], kind: 'note' });
    const answer = await read(`rule/${rule}`);
    expect(answer.head.source).toEqual({
      kind: 'jamie',
      id: 'jamie:weekly-1',
      quote,
      timestamp: '5:10',
      link: source.link,
    });
    expect(answer.groups[0].entries[0]).toMatchObject({
      kind: 'meeting',
      date: '2026-03-11T08:00:00Z',
      title: 'Weekly',
    });
    expect(answer.groups[0].entries[0].excerpt).toBe(
      'Good morning, everyone. From April on we ship to Switzerland only with customs papers. That is all for today.',
    );
    expect(answer.line).toBe(
      `Unconfirmed Note from 2026-03-12: ${proposal().statement} — with 1 meeting; proposed 0 days ago, not confirmed`,
    );
    const own = await proposed(here, { source: { kind: 'manual', quote: 'mine', link: null }, relations: [] });
    expect((await read(`rule/${own}`)).groups).toEqual([]);
    expect((await read(`rule/${own}`)).line).toBe(
      `Unconfirmed Rule from 2026-03-12: ${proposal().statement}; proposed 0 days ago, not confirmed`,
    );
  });

  test('[RU74] asks again after so many days, counted in the zone', async () => {
    const rule = await confirmed(here);
    here.pass(DAY);
    expect((await read(`rule/${rule}`)).line).toMatch(/; last reviewed 1 day ago$/);
    here.pass(179 * DAY);
    expect((await read(`rule/${rule}`)).head).toMatchObject({ age_days: 180, recheck: null });
    here.pass(DAY);
    const answer = await read(`rule/${rule}`);
    expect(answer.head).toMatchObject({
      age_days: 181,
      recheck: 'still valid?',
      last_reviewed_at: '2026-03-12T10:00:00.000Z',
    });
    expect(answer.line).toMatch(/; last reviewed 181 days ago, still valid\?$/);
  });

  test('[RU74] texts are shown by their beginning', () => {
    expect(beginning(null)).toBeNull();
    expect(beginning('x'.repeat(300))).toBe('x'.repeat(300));
    expect(beginning('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`);
    expect(beginning(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}…`);
    expect([0, 59, 61, 3599, 3600, 36_061].map(clock)).toEqual([
      '0:00',
      '0:59',
      '1:01',
      '59:59',
      '1:00:00',
      '10:01:01',
    ]);
  });

  test('[RU74] days are counted by the calendar of the zone', () => {
    const calendar = calendarIn('Europe/Berlin');
    expect(calendar.dayOf(new Date('2026-03-28T22:59:59Z'))).toBe('2026-03-28');
    expect(calendar.dayOf(new Date('2026-03-28T23:00:00Z'))).toBe('2026-03-29');
    // The night in which summer time begins has 23 hours.
    expect(calendar.daysBetween(new Date('2026-03-28T22:30:00Z'), new Date('2026-03-30T22:30:00Z'))).toBe(3);
    expect(calendar.daysBetween(new Date('2026-03-29T10:00:00Z'), new Date('2026-03-28T10:00:00Z'))).toBe(0);
  });
});

describe('reading a rule', () => {
  test('[RU76] as it is, at a version, and as it was at the end of a day', async () => {
    const rule = await proposed(here);
    here.pass(DAY);
    await decide(here, rule, {
      decision: 'confirm',
      version: 1,
      change: { statement: 'Ask for the delivery time in writing' },
    });
    here.pass(DAY);
    await confirmed(here, { supersedes: rule, valid_from: '2026-03-20' });
    const shownVersion = async (ref: string, more = {}) => {
      const { head, version } = await read(ref, more);
      return [head.ref.split('@')[1], head.status, head.valid_until, version.version, version.statement.slice(0, 12)];
    };
    expect(await shownVersion(`rule/${rule}`)).toEqual(['3', 'superseded', '2026-03-20', 3, 'Ask for the ']);
    expect(await shownVersion(`rule/${rule}@2`)).toEqual(['2', 'confirmed', null, 2, 'Ask for the ']);
    expect(await shownVersion(`rule/${rule}@1`)).toEqual(['1', 'proposed', null, 1, 'Ask the supp']);
    expect(await shownVersion(`rule/${rule}`, { as_of: '2026-03-12' })).toEqual([
      '1',
      'proposed',
      null,
      1,
      'Ask the supp',
    ]);
    expect(await shownVersion(`rule/${rule}`, { as_of: '2026-03-13' })).toEqual([
      '2',
      'confirmed',
      null,
      2,
      'Ask for the ',
    ]);
    expect(await shownVersion(`rule/${rule}`, { as_of: '2030-01-01' })).toEqual([
      '3',
      'superseded',
      '2026-03-20',
      3,
      'Ask for the ',
    ]);
    expect(await shownVersion(`rule/${rule}@1`, { as_of: '2030-01-01' })).toEqual([
      '1',
      'proposed',
      null,
      1,
      'Ask the supp',
    ]);
    for (const [ref, more, code] of [
      [`rule/${rule}@4`, {}, 'not-found'],
      ['rule/sales-0099', {}, 'not-found'],
      [`rule/${rule}`, { as_of: '2026-03-11' }, 'not-found'],
      [`rule/${rule}@4`, { as_of: '2026-03-12' }, 'not-found'],
      [rule, {}, 'validation-failed'],
    ] as const) {
      expect([ref, (await refusal(read(ref, more)))['code']]).toEqual([ref, code]);
    }
  });

  test('[RU76] with its history and its decisions, without who they were', async () => {
    const rule = await confirmed(here);
    const { history, decisions, version } = await read(`rule/${rule}`);
    expect(history).toEqual([
      { version: 1, status: 'proposed', changed_at: '2026-03-12T10:00:00.000Z', reason: 'proposed via api' },
      { version: 2, status: 'confirmed', changed_at: '2026-03-12T10:00:00.000Z', reason: 'confirmed' },
    ]);
    expect(decisions).toEqual([
      {
        kind: 'confirm',
        version: 1,
        decided_by: 'person:1',
        decided_at: '2026-03-12T10:00:00.000Z',
        reason: null,
        new_version: 2,
        origin: 'grant',
        mode: 'manual',
      },
    ]);
    expect(version.source).toEqual({
      kind: 'mail',
      id: MAIL_ID,
      quote: proposal().source.quote,
      timestamp_s: null,
      link: 'https://mail.example.com/1',
    });
    expect(JSON.stringify(await read(`rule/${rule}`))).not.toContain('@example.com"');
  });
});

test('[RU75] a rejected rule is nowhere outside the approval channel', async () => {
  const kept = await confirmed(here);
  const secret = 'Zweiundvierzig rosa Elefanten wohnen im Lager';
  const gone = await proposed(here, { statement: secret, supersedes: kept });
  here.pass(DAY);
  await decide(here, gone, { decision: 'reject', version: 1, reason: 'no' });
  const answers: unknown[] = [];
  for (const channel of ['mcp', 'api'] as const) {
    for (const ref of [`rule/${gone}`, `rule/${gone}@1`, `rule/${gone}@2`, 'rule/sales-0099']) {
      answers.push(await refusal(here.do('readRule', { ref }, ANNA, channel)));
    }
    answers.push(await refusal(here.do('readRule', { ref: `rule/${gone}`, as_of: '2026-03-12' }, ANNA, channel)));
    const search = { scopes: ['sales'], text: secret, include_proposals: true };
    const found = [
      await here.do('searchRules', search, ANNA, channel),
      await here.do('searchRules', { ...search, as_of: '2026-03-12' }, ANNA, channel),
      await here.do('listRules', { scope: 'sales' }, ANNA, channel),
      await here.do('listProposals', { scope: 'sales' }, ANNA, channel),
      await here.do('readRule', { ref: `rule/${kept}` }, ANNA, channel),
      await here.do('scopes', {}, ANNA, channel),
    ];
    expect(JSON.stringify(found.map(answer => ({ ...answer, query: null })))).not.toMatch(
      /Elefanten|sales-0002|rejected/,
    );
    expect(found[5]!['scopes'][0].counts).toEqual({ proposed: 0, confirmed: 1, superseded: 0 });
    expect((await refusal(here.do('listRules', { scope: 'sales', status: 'rejected' }, ANNA, channel)))['code']).toBe(
      'validation-failed',
    );
  }
  expect(answers).toEqual(answers.map(() => ({ code: 'not-found' })));
  const again = await here.do('proposeRule', proposal({ statement: secret, supersedes: kept }), FEEDER);
  expect(again.possible_duplicates).toEqual([`rule/${kept}@2`]);
  expect((await here.do('showRule', { id: gone }, ANNA, 'approval')).version.status).toBe('rejected');
});

test('[RU77] rules are listed in the order in which they were made, page by page', async () => {
  const ids = [];
  for (let at = 0; at < 5; at++) ids.push(await confirmed(here, { kind: at % 2 === 0 ? 'rule' : 'note' }));
  await confirmed(here, { supersedes: ids[0] });
  await proposed(here);
  const list = async (more: Record<string, unknown>) => {
    const { rules, next } = await here.do('listRules', { scope: 'sales', ...more });
    return [rules.map((one: { ref: string }) => Number(one.ref.slice(-3, -2))), next];
  };
  expect(await list({})).toEqual([[1, 2, 3, 4, 5, 6, 7], null]);
  expect(await list({ limit: 3 })).toEqual([[1, 2, 3], 'sales-0003']);
  expect(await list({ limit: 4, after: 'sales-0003' })).toEqual([[4, 5, 6, 7], null]);
  expect(await list({ status: 'confirmed', kind: 'note' })).toEqual([[2, 4], null]);
  expect(await list({ status: 'superseded' })).toEqual([[1], null]);
  expect(await list({ status: 'proposed' })).toEqual([[7], null]);
  for (const bad of [
    { limit: 0 },
    { limit: 201 },
    { relation: 'customer' },
    { relation: 'person:x' },
    { after: 'x' },
  ]) {
    expect((await refusal(here.do('listRules', { scope: 'sales', ...bad })))['code']).toBe('validation-failed');
  }
});
