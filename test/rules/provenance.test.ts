import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  confirmed,
  decide,
  FEEDER,
  mail,
  MAIL_ID,
  MAIL_TEXT,
  meeting,
  proposal,
  proposed,
  QUOTE,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const read = (ref: string) => here.do('provenance', { ref });

test('[RU80] of a mail: its text, its thread newest first, every attachment with its text', async () => {
  const id = 'mail:<2@example.com>';
  const attachments = [
    {
      filename: 'plan.pdf',
      media_type: 'application/pdf',
      size: 7,
      external: 'x:1',
      text: 'a plan',
      text_origin: 'ocr',
    },
    { filename: 'scan.tif', media_type: 'image/tiff', size: null, external: null, text: null, text_origin: null },
  ];
  await here.do('storeSource', mail({ id, thread: MAIL_ID, sender: null }, { attachments }), FEEDER);
  await here.do(
    'storeSource',
    mail(
      { id: 'mail:<3@example.com>', thread: MAIL_ID, occurred_at: '2026-03-13T09:00:00Z' },
      { text: 'x'.repeat(400) },
    ),
    FEEDER,
  );
  const rule = await confirmed(here, { source: { ...proposal().source, id } });
  const answer = await read(`rule/${rule}`);
  expect(answer).toEqual({
    http: 200,
    ref: `rule/${rule}@2`,
    source: {
      id,
      kind: 'mail',
      title: 'Hook rails',
      occurred_at: '2026-03-12T09:00:00Z',
      sender: null,
      thread: MAIL_ID,
      link: 'https://mail.example.com/1',
      fulltext_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      fetched_at: '2026-03-12T10:00:00.000Z',
    },
    quote: QUOTE,
    timestamp_s: null,
    excerpt: MAIL_TEXT,
    segments: null,
    thread: [
      expect.objectContaining({ ref: 'source/mail:<3@example.com>', kind: 'mail', excerpt: `${'x'.repeat(299)}…` }),
      expect.objectContaining({ ref: `source/${MAIL_ID}`, origin: 'deterministic', proposed: false }),
    ],
    attachments: [
      { ref: `attachment/${id}#1`, ...attachments[0] },
      { ref: `attachment/${id}#2`, ...attachments[1], text_origin: 'none' },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain(FEEDER.id);
  expect((await read(`rule/${rule}@1`)).ref).toBe(`rule/${rule}@1`);
});

test('[RU80] of a meeting: the window around the second, as lines with the speaker and as segments', async () => {
  await here.do('storeSource', meeting(), FEEDER);
  const quote = 'From April on we ship to Switzerland only with customs papers';
  const source = { kind: 'jamie', id: 'jamie:weekly-1', quote, timestamp_s: 305, link: 'https://meet.example.com/1' };
  const rule = await proposed(here, { source });
  expect(await read(`rule/${rule}`)).toMatchObject({
    timestamp_s: 305,
    excerpt: '[5:00] Ada: From April on we ship\n[5:10] Ben: to Switzerland only with customs papers.',
    segments: [
      { start_s: 300, speaker: 'Ada', text: 'From April on we ship' },
      { start_s: 310, speaker: 'Ben', text: 'to Switzerland only with customs papers.' },
    ],
    thread: [],
    attachments: [],
  });
});

test('[RU80] of own words there is nothing but the words', async () => {
  const rule = await proposed(here, { source: { kind: 'manual', quote: 'We said so', link: null } });
  expect(await read(`rule/${rule}`)).toMatchObject({
    source: { id: `manual:${FEEDER.id}`, kind: 'manual', title: null, occurred_at: null, fulltext_sha256: null },
    quote: 'We said so',
    excerpt: null,
    segments: null,
    thread: [],
    attachments: [],
  });
});

test('[RU75, RU80] a rejected rule has none, nor has a version that is not there', async () => {
  const rule = await proposed(here);
  await decide(here, rule, { decision: 'reject', version: 1, reason: 'no' });
  const known = await confirmed(here);
  for (const ref of [`rule/${rule}`, `rule/${rule}@1`, 'rule/sales-0099', `rule/${known}@9`])
    expect([ref, (await refusal(read(ref)))['code']]).toEqual([ref, 'not-found']);
});

test('[RU23, RU80] leaves a row in the log', async () => {
  const rule = await confirmed(here);
  await read(`rule/${rule}`);
  await refusal(read('rule/sales-0099'));
  const rows = here.rows(
    'sales',
    `SELECT outcome, refs FROM search_log WHERE operation = 'provenance' ORDER BY outcome`,
  );
  expect(rows).toEqual([
    { outcome: 200, refs: `["rule/${rule}@2"]` },
    { outcome: 404, refs: '[]' },
  ]);
});
