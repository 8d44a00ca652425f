import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  ANNA,
  FEEDER,
  grant,
  mail,
  MAIL_ID,
  MAIL_TEXT,
  meeting,
  proposal,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const ATTACHMENT = {
  filename: 'order.pdf',
  media_type: 'application/pdf',
  size: 12,
  external: 'paperless:7',
  text: 'Order of March',
  text_origin: 'ocr',
};
const UNREAD = { ...ATTACHMENT, filename: 'plan.dwg', text: null, text_origin: null };

test('[RU30, RU31] a mail is kept with its text, its hash and its attachments', async () => {
  const sent = mail({ id: 'mail:<2@example.com>', thread: MAIL_ID }, { attachments: [ATTACHMENT, UNREAD] });
  expect(await here.do('storeSource', sent, FEEDER)).toEqual({ http: 201, created: true, id: 'mail:<2@example.com>' });
  const read = { scope: 'sales', id: 'mail:<2@example.com>' };
  const plain = await here.do('readSource', read, FEEDER);
  expect(plain).toEqual({
    http: 200,
    id: 'mail:<2@example.com>',
    scope: 'sales',
    kind: 'mail',
    title: 'Hook rails',
    occurred_at: '2026-03-12T09:00:00Z',
    sender: 'supplier@example.com',
    thread: MAIL_ID,
    link: 'https://mail.example.com/1',
    fulltext_sha256: hash(MAIL_TEXT),
    fetched_at: '2026-03-12T10:00:00.000Z',
    text_chars: MAIL_TEXT.length,
    segment_count: null,
    attachments: [
      {
        ref: 'attachment/mail:<2@example.com>#1',
        n: 1,
        filename: 'order.pdf',
        media_type: 'application/pdf',
        size: 12,
        external: 'paperless:7',
        text_origin: 'ocr',
      },
      {
        ref: 'attachment/mail:<2@example.com>#2',
        n: 2,
        filename: 'plan.dwg',
        media_type: 'application/pdf',
        size: 12,
        external: 'paperless:7',
        text_origin: 'none',
      },
    ],
  });
  const whole = await here.do('readSource', { ...read, include: 'attachments,text' }, FEEDER);
  expect(whole.text).toBe(MAIL_TEXT);
  expect(whole.attachments.map((one: { text: string | null }) => one.text)).toEqual(['Order of March', null]);
  expect((await here.do('readSource', { ...read, include: 'text' }, FEEDER)).attachments[0]).not.toHaveProperty('text');
});

test('[RU30, RU31] a meeting is kept in segments, hashed as JSON in the order of the schema', async () => {
  const segments = meeting().segments.map(({ start_s, speaker, text }) => ({ text, speaker, start_s }));
  await here.do('storeSource', meeting({}, { segments }), FEEDER);
  const read = await here.do('readSource', { scope: 'sales', id: 'jamie:weekly-1', include: 'text' }, FEEDER);
  expect(read.segment_count).toBe(4);
  expect(read.text_chars).toBeNull();
  expect(read.segments).toEqual(meeting().segments);
  const canonical = `[${meeting()
    .segments.map(
      one => `{"start_s":${one.start_s},"speaker":${JSON.stringify(one.speaker)},"text":${JSON.stringify(one.text)}}`,
    )
    .join(',')}]`;
  expect(read.fulltext_sha256).toBe(hash(canonical));
});

test.each([
  ['a mail without text', mail({}, { text: undefined })],
  ['a mail with segments', mail({}, { segments: meeting().segments })],
  ['a meeting with text', meeting({}, { text: 'x' })],
  ['a meeting without segments', meeting({}, { segments: undefined })],
  ['a meeting without a link', meeting({ link: null })],
  ['segments out of order', meeting({}, { segments: meeting().segments.toReversed() })],
  ['attachments left out', mail({}, { attachments: undefined })],
  ['text of unknown origin', mail({}, { attachments: [{ ...ATTACHMENT, text_origin: null }] })],
  ['an id of another kind', mail({ id: 'jamie:1' })],
  ['an id without brackets', mail({ id: 'mail:1@example.com' })],
  ['a link that is none', mail({ link: 'javascript:alert(1)' })],
  ['a day instead of an instant', mail({ occurred_at: '2026-03-12' })],
  ['an instant with an offset', mail({ occurred_at: '2026-03-12T10:00:00+01:00' })],
  ['an unknown key', mail({ auth: {} })],
  ['own words', mail({ kind: 'manual' })],
])('[RU30] %s is refused', async (_, sent) => {
  expect((await refusal(here.do('storeSource', sent, FEEDER)))['code']).toBe('validation-failed');
});

test.each(['title', 'sender', 'text'])('[RU24] what no store can keep is refused in %s', async place => {
  for (const bad of ['a\0b', 'a\ud800b', '\udc00']) {
    const sent =
      place === 'text' ? mail({ id: 'mail:<x@y>' }, { text: bad }) : mail({ id: 'mail:<x@y>', [place]: bad });
    expect((await refusal(here.do('storeSource', sent, FEEDER)))['code']).toBe('validation-failed');
  }
  const kept = mail({ id: 'mail:<x@y>' }, { text: 'line\r\n\u00ad\u200b😀 e\u0301' });
  await here.do('storeSource', kept, FEEDER);
  const read = await here.do('readSource', { scope: 'sales', id: 'mail:<x@y>', include: 'text' }, FEEDER);
  expect(read.text).toBe(kept.text);
});

test('[RU32] the same again changes nothing', async () => {
  const sent = mail({ id: 'mail:<2@example.com>' }, { attachments: [ATTACHMENT, UNREAD] });
  await here.do('storeSource', sent, FEEDER);
  const before = here.rows('sales', 'SELECT * FROM source');
  here.pass(60_000);
  expect(await here.do('storeSource', sent, FEEDER)).toEqual({ http: 200, created: false, id: 'mail:<2@example.com>' });
  expect(here.rows('sales', 'SELECT * FROM source')).toEqual(before);
});

test.each([
  ['other-feeder', mail(), grant('service:9', ['propose'])],
  ['source-differs', mail({ title: 'Other' }), FEEDER],
  ['source-differs', mail({ occurred_at: '2026-03-12T09:00:01Z' }), FEEDER],
  ['source-differs', mail({ sender: null }), FEEDER],
  ['source-differs', mail({ thread: 'mail:<r@example.com>' }), FEEDER],
  ['source-differs', mail({ link: null }), FEEDER],
  ['source-differs', mail({}, { text: `${MAIL_TEXT} ` }), FEEDER],
  ['attachments-differ', mail({}, { attachments: [ATTACHMENT] }), FEEDER],
])('[RU32] %s is a conflict that says nothing', async (reason, sent, caller) => {
  expect(await refusal(here.do('storeSource', sent, caller))).toEqual({ code: 'source-conflict' });
  await expect(here.do('storeSource', sent, caller)).rejects.toThrow(/^another source has this id$/);
  expect(here.reports.at(-1)).toEqual({
    event: 'source-conflict',
    fields: { grant: caller.id, scope: 'sales', reason },
  });
});

test('[RU32] every part of every attachment counts', async () => {
  const id = 'mail:<2@example.com>';
  await here.do('storeSource', mail({ id }, { attachments: [ATTACHMENT, UNREAD] }), FEEDER);
  for (const attachments of [
    [UNREAD, ATTACHMENT],
    [ATTACHMENT],
    [ATTACHMENT, UNREAD, UNREAD],
    ...Object.entries({
      filename: 'x.pdf',
      media_type: 'text/plain',
      size: null,
      external: null,
      text: 'x',
      text_origin: 'description',
    }).map(([key, value]) => [{ ...ATTACHMENT, [key]: value }, UNREAD]),
  ]) {
    expect((await refusal(here.do('storeSource', mail({ id }, { attachments }), FEEDER)))['code']).toBe(
      'source-conflict',
    );
  }
  expect((await here.do('storeSource', mail({ id }, { attachments: [ATTACHMENT, UNREAD] }), FEEDER)).created).toBe(
    false,
  );
});

test('[RU33] a source of another grant, another scope or none at all answers alike', async () => {
  const asked = (id: string, scope = 'sales', caller = FEEDER) =>
    here.do('readSource', { scope, id }, caller).catch((failure: Error & { code: string; data: object }) => ({
      code: failure.code,
      message: failure.message,
      data: failure.data,
    }));
  const answers = [
    await asked('mail:<none@example.com>'),
    await asked(MAIL_ID, 'legal'),
    await asked(MAIL_ID, 'sales', ANNA),
    await asked('nonsense'),
  ];
  expect(new Set(answers.map(answer => JSON.stringify(answer)))).toEqual(
    new Set(['{"code":"not-found","message":"no such source","data":{}}']),
  );
  expect(here.reports.map(({ event, fields }) => [event, fields['outcome']])).toEqual(
    Array.from({ length: 4 }, () => ['source-read', '404']),
  );
});

test('[RU33] own words are read back by their grant', async () => {
  await here.do('proposeRule', proposal({ source: { kind: 'manual', quote: 'mine', link: null } }), ANNA);
  const read = await here.do('readSource', { scope: 'sales', id: 'manual:person:1' }, ANNA);
  expect([read.kind, read.title, read.text_chars, read.fulltext_sha256]).toEqual(['manual', null, null, null]);
});

test.each(['', 'text,text', 'text, attachments', 'all'])('[RU33] include %j is refused', async include => {
  const read = here.do('readSource', { scope: 'sales', id: MAIL_ID, include }, FEEDER);
  expect((await refusal(read))['code']).toBe('validation-failed');
});
