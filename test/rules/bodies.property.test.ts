import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counterexample } from './counterexample.ts';
import { ANNA, confirmed, FEEDER, mail, meeting, proposal, proposed, stocked, type World } from './world.ts';

let here: World;
const ids = {} as Record<'open' | 'kept', string>;
beforeAll(async () => {
  here = await stocked();
  ids.open = await proposed(here);
  ids.kept = await confirmed(here);
});
afterAll(() => here.remove());

type Json = unknown;

/** Values that break what does not expect them. */
const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    -1,
    -0,
    0.5,
    1e308,
    2 ** 53,
    Number.NaN,
    '',
    ' ',
    '\0',
    '\uD800',
    'x\uDC00y',
    '\u202e',
    '🙂'.repeat(40),
    'é'.repeat(600),
    '__proto__',
    'constructor',
    "'; DROP TABLE rule; --",
    '" OR "',
    'NEAR(',
    '0000-01-01',
    '9999-12-31',
    '2026-02-30',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    'https://example.com/\0',
    'https://example.com/\uD800',
    'sales-0001',
    'sales-99999999999999999999',
    'rule/sales-0001@99999999999999999999',
    [],
    {},
    [[]],
    { __proto__: null, toString: 1 },
    Array.from({ length: 40 }, () => 'word'),
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** Every way to a value inside another. */
function placesIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function withAt(value: Json, [key, ...rest]: readonly string[], put: Json): Json {
  if (key === undefined) return put;
  const copy = (Array.isArray(value) ? [...(value as Json[])] : { ...(value as object) }) as Record<string, Json>;
  copy[key] = withAt(copy[key], rest, put);
  return copy;
}

const spoilt = (body: Json): fc.Arbitrary<Json> =>
  fc
    .array(fc.tuple(fc.constantFrom(...placesIn(body).slice(1)), odd), { minLength: 1, maxLength: 2 })
    .map(changes => changes.reduce((whole, [place, put]) => withAt(whole, place, put), body));

const change = {
  statement: 'Ask twice for the delivery time',
  kind: 'note',
  keywords: ['rails'],
  relations: [{ kind: 'product', name: 'Hook rail', ref: null }],
  valid_from: '2026-03-12',
  said_at: '2026-03-12T09:00:00Z',
  speaker: 'Ada',
  supersedes: null,
};
const auth = { from: 'a@example.com', authentication_results: ['mx; spf=pass'] };
const attachments = [{ filename: 'a', media_type: 'a/b', size: 1, external: null, text: 'x', text_origin: 'ocr' }];

type Op = Parameters<World['do']>[0];
const SENT: readonly (readonly [name: string, op: Op, body: () => Json, decides: boolean])[] = [
  ['a proposal from a mail', 'proposeRule', () => proposal(), false],
  [
    'a proposal in own words',
    'proposeRule',
    () => proposal({ source: { kind: 'manual', quote: 'mine', link: null } }),
    false,
  ],
  ['a mail', 'storeSource', () => mail({ id: 'mail:<b@example.com>', auth }, { attachments }), false],
  ['a meeting', 'storeSource', () => meeting({}, { attachments }), false],
  [
    'a confirmation',
    'decide',
    () => ({ id: ids.open, body: { decision: 'confirm', version: 1, change, reason: 'so' } }),
    true,
  ],
  [
    'a review',
    'decide',
    () => ({ id: ids.kept, body: { decision: 'review', version: 2, change: { keywords: ['x y'] }, reason: 'so' } }),
    true,
  ],
  [
    'a revocation',
    'decide',
    () => ({ id: ids.kept, body: { decision: 'revoke', version: 2, reason: 'so', valid_until: '2026-05-01' } }),
    true,
  ],
  [
    'a look at what was rejected',
    'listRejected',
    () => ({ scope: 'sales', q: 'x y', limit: 5, after: 'sales-0001' }),
    true,
  ],
  ['a look into the inbox', 'inbox', () => ({ scope: 'sales', text: 'x y' }), true],
  ['an export', 'exportScope', () => ({ scope: 'sales' }), true],
  ['a look at a rule', 'showRule', () => ({ id: ids.open }), true],
];

test.each(SENT)(
  '[RU24, RU106] %s spoilt in any place is taken or refused with a code, and is never a fault of ours',
  async (_, op, body, decides) => {
    const codes = new Set<string>();
    const sent = fc.constant(null).chain(() => spoilt(body()));
    expect(
      await counterexample(
        fc.asyncProperty(sent, async raw => {
          const asked = here.do(op, raw, decides ? ANNA : FEEDER, decides ? 'approval' : 'api');
          const code = await asked.then(
            () => 'taken',
            (failure: { code: string }) => failure.code,
          );
          codes.add(code);
          return code !== 'internal';
        }),
        120,
      ),
    ).toBeUndefined();
    expect(codes).toContain('validation-failed');
  },
);
