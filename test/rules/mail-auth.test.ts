import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resultsOf } from '../../src/rules/sources/mail-auth.ts';
import { ANNA, FEEDER, mail, MAIL_TEXT, meeting, proposed, refusal, stocked, type World } from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const PASS = 'mx.example.com; spf=pass smtp.mailfrom=a@b.example; dkim=pass header.d=b.example; dmarc=pass';
const auth = { from: 'a@b.example', authentication_results: [PASS] };
const ID = 'mail:<auth@example.com>';

test.each([
  [[], null, null, null],
  [['mx.example.com; none'], null, null, null],
  [[PASS], 'pass', 'pass', 'pass'],
  [['mx; SPF=Fail (says dmarc=pass); dkim=fail reason="dkim=pass"; dmarc = none'], 'fail', 'fail', 'none'],
  [['mx; dkim=fail header.d=list.example; dkim=pass header.d=b.example'], null, 'pass', null],
  [['mx; dkim/1=pass; xspf=pass; my-dmarc=pass'], null, 'pass', null],
  [[PASS, 'other; spf=softfail; dmarc=fail'], 'softfail', 'pass', 'fail'],
  [['other; dkim=fail', PASS], 'pass', 'fail', 'pass'],
])('[RU110] %j is read, and what did not pass wins', (headers, spf, dkim, dmarc) => {
  expect(resultsOf(headers)).toEqual({ spf, dkim, dmarc });
});

test('[RU110] any header is read, and quickly', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 400 }), { maxLength: 20 }), headers => void resultsOf(headers)),
  );
  for (const part of ['(', '"', '\\"', 'dkim=', 'dkim /', 'spf= ']) {
    expect(resultsOf(Array.from({ length: 20 }, () => part.repeat(4000 / part.length)))).toBeDefined();
  }
});

test('[RU111] how a mail proved itself is kept, shown to those who decide, and part of what the source is', async () => {
  expect(await here.do('storeSource', mail({ id: ID, auth }), FEEDER)).toMatchObject({ http: 201 });
  expect(here.rows('sales', 'SELECT * FROM source_auth')).toEqual([
    {
      source_id: ID,
      from_address: 'a@b.example',
      authentication_results: JSON.stringify([PASS]),
      spf: 'pass',
      dkim: 'pass',
      dmarc: 'pass',
      at: '2026-03-12T10:00:00.000Z',
    },
  ]);
  expect(await here.do('storeSource', mail({ id: ID, auth }), FEEDER)).toMatchObject({ http: 200, created: false });
  for (const other of [
    undefined,
    { ...auth, from: 'c@b.example' },
    { ...auth, authentication_results: [] },
    { ...auth, authentication_results: [PASS, PASS] },
  ]) {
    expect(await refusal(here.do('storeSource', mail({ id: ID, auth: other }), FEEDER))).toEqual({
      code: 'source-conflict',
    });
  }
  expect(await refusal(here.do('storeSource', mail({ auth }), FEEDER))).toEqual({ code: 'source-conflict' });
  expect(here.reports.filter(({ event }) => event === 'source-conflict').map(({ fields }) => fields['reason'])).toEqual(
    Array.from({ length: 5 }, () => 'source-differs'),
  );
  const rule = await proposed(here, { source: { kind: 'mail', id: ID, quote: MAIL_TEXT.slice(20, 60), link: null } });
  const seen = await here.do('showRule', { id: rule }, ANNA, 'approval');
  expect(seen['source'].auth).toEqual({ ...auth, spf: 'pass', dkim: 'pass', dmarc: 'pass' });
  // What the contract lists is all that a feeder reads back.
  expect(Object.keys(await here.do('readSource', { scope: 'sales', id: ID }, FEEDER))).not.toContain('auth');
});

test('[RU111] its form is checked, and a meeting has none', async () => {
  for (const wrong of [
    null,
    {},
    { from: 'x' },
    { ...auth, spf: 'pass' },
    { from: 'x'.repeat(501), authentication_results: [] },
    { from: 'x', authentication_results: 'pass' },
    { from: 'x', authentication_results: Array.from({ length: 21 }, () => 'x') },
    { from: 'x', authentication_results: ['x'.repeat(4001)] },
  ]) {
    expect((await refusal(here.do('storeSource', mail({ id: ID, auth: wrong }), FEEDER)))['code']).toBe(
      'validation-failed',
    );
  }
  expect((await refusal(here.do('storeSource', meeting({ auth }), FEEDER)))['code']).toBe('validation-failed');
  expect(here.rows('sales', 'SELECT * FROM source_auth')).toEqual([]);
});

test('[RU112] where a source holds what looks like a secret is kept, never what it is', async () => {
  const secret = 'Passwort: Sommer2026!';
  const key = `ghp_${'a1B2'.repeat(9)}`;
  const attachment = { filename: 'a', media_type: 'text/plain', size: 1, external: null, text_origin: 'ocr' };
  await here.do(
    'storeSource',
    mail({ id: ID }, { text: `Hallo, ${secret}`, attachments: [{ ...attachment, text: `x ${key}` }] }),
    FEEDER,
  );
  const segments = [
    { start_s: 0, speaker: null, text: 'Guten Morgen' },
    { start_s: 5, speaker: null, text: `der PIN lautet 4711, ${key}` },
  ];
  await here.do('storeSource', meeting({}, { segments }), FEEDER);
  const found = here.rows('sales', 'SELECT source_id, attachment, segment, kind, start, length FROM secret_finding');
  const row = (source_id: string, over: object) => ({ source_id, attachment: null, segment: null, ...over });
  expect(found).toEqual([
    row(ID, { kind: 'named-secret', start: 7, length: secret.length }),
    row(ID, { attachment: 1, kind: 'github-token', start: 2, length: key.length }),
    row('jamie:weekly-1', { segment: 2, kind: 'pin', start: 4, length: 'PIN lautet 4711'.length }),
    row('jamie:weekly-1', { segment: 2, kind: 'github-token', start: 21, length: key.length }),
  ]);
  expect(JSON.stringify(here.rows('sales', 'SELECT * FROM secret_finding'))).not.toContain('Sommer');
});

test('[RU33] reading back is logged in the scope, with its outcome', async () => {
  await here.do('readSource', { scope: 'sales', id: 'mail:<delivery-1@example.com>' }, FEEDER);
  await refusal(here.do('readSource', { scope: 'sales', id: 'mail:<none@example.com>' }, FEEDER));
  expect(here.rows('sales', `SELECT outcome, refs FROM search_log WHERE operation = 'read_source'`)).toEqual([
    { outcome: 200, refs: '["source/mail:<delivery-1@example.com>"]' },
    { outcome: 404, refs: '[]' },
  ]);
});
