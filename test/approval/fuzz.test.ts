import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counterexample } from '../rules/counterexample.ts';
import { confirmed, proposed } from '../rules/world.ts';
import { ANNA, formOn, world, type World } from './world.ts';

let here: World;
const forms: { id: string; fields: Record<string, string> }[] = [];
beforeAll(async () => {
  here = await world({ limits: { exportsPerHour: 100_000, decisionsPerMinute: 100_000 } });
  for (const [id, names] of [
    [await proposed(here.rules), ['confirm', 'reject']],
    [await confirmed(here.rules), ['review', 'revoke']],
  ] as const) {
    const { text } = await here.get(`/approval/rules/${id}`);
    for (const name of names) forms.push({ id, fields: { reason: 'so', ...formOn(text, name) } });
  }
});
afterAll(() => here.end());

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\r\n',
    '"><script>',
    '../..',
    '%00',
    '%ff',
    'x'.repeat(3000),
    '-1',
    '1e9',
    '9007199254740993',
    '٣',
    '\u202e',
    '🙂',
    'null',
    '2026-02-30',
    'sales',
    'other',
    'sales-0001',
    'sales-99999',
    "' OR 1",
    'NEAR("',
  ),
  fc.string({ maxLength: 20 }),
);

/** A page of a fault has nothing but a request id on it. */
const isFault = ({ status, text }: { status: number; text: string }): boolean =>
  status >= 500 || text.includes('<code>internal</code>');

test('[AP28, AP38] no form makes a fault of ours, whatever stands in its fields', async () => {
  const seen = new Set<number>();
  const sent = fc.record({
    form: fc.nat({ max: 3 }),
    over: fc.dictionary(
      fc.oneof(
        fc.constantFrom(
          'statement',
          'kind',
          'keywords',
          'valid_from',
          'valid_until',
          'said_at',
          'speaker',
          'supersedes',
          'reason',
          'decision',
          'version',
          'shown_sha256',
          'relation_1_kind',
          'relation_1_name',
          'relation_1_ref',
          'relation_99_name',
          'quote',
        ),
        fc.string({ maxLength: 12 }),
      ),
      odd,
      { minKeys: 1, maxKeys: 3 },
    ),
  });
  expect(
    await counterexample(
      fc.asyncProperty(sent, async ({ form, over }) => {
        const { id, fields } = forms[form]!;
        const answer = await here.post(
          `/v1/rules/${id}/decision`,
          { ...fields, ...over },
          { cookie: here.cookieOf(ANNA) },
        );
        seen.add(answer.status);
        return !isFault(answer);
      }),
      150,
    ),
  ).toBeUndefined();
  expect(seen).toContain(400);
});

test('[AP28, AP38] no address makes a fault of ours', async () => {
  const seen = new Set<number>();
  const path = fc.oneof(
    fc
      .record({
        page: fc.constantFrom(
          '/approval',
          '/approval/recheck',
          '/approval/rejected',
          '/approval/search',
          '/approval/login',
          '/v1/rejected',
          '/v1/export/sales',
        ),
        query: fc.dictionary(
          fc.oneof(
            fc.constantFrom('scope', 'text', 'q', 'after', 'limit', 'day', 'with', 'next', 'mail'),
            fc.string({ maxLength: 8 }),
          ),
          odd,
          { maxKeys: 3 },
        ),
      })
      .map(({ page, query }) => `${page}?${new URLSearchParams(query).toString()}`),
    odd.map(text => `/approval/rules/${encodeURIComponent(text.slice(0, 200).toWellFormed())}`),
    odd.map(text => `/approval/export/${encodeURIComponent(text.slice(0, 200).toWellFormed())}`),
    odd.map(text => `/v1/export/${encodeURIComponent(text.slice(0, 200).toWellFormed())}`),
  );
  expect(
    await counterexample(
      fc.asyncProperty(path, async one => {
        const answer = await here.get(one);
        seen.add(answer.status);
        return !isFault(answer);
      }),
      200,
    ),
  ).toBeUndefined();
  for (const status of [200, 400, 403]) expect(seen).toContain(status);
});
