import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mail, meeting, proposal, refusal, sha256, startRules, type Rules } from './rules.ts';

let cairn: Rules;
beforeAll(async () => (cairn = await startRules()));
afterAll(() => cairn.stop());

const store = (body: object) => cairn.v1('POST', '/v1/sources', body);
const readBack = (id: string, query = '?scope=sales') =>
  cairn.v1('GET', `/v1/sources/${encodeURIComponent(id)}${query}`);
const SEGMENT = { start_s: 0, speaker: null, text: 'x' };
const ATTACHMENT = { filename: 'a', media_type: 'a/b', size: null, external: null, text: null, text_origin: null };

describe('storing', () => {
  test('[RU32] the same again changes nothing, anything else is a conflict in the same words', async () => {
    expect([(await store(mail(1))).status, (await store(mail(1))).json]).toEqual([
      201,
      { created: false, id: 'mail:<m1@example.org>' },
    ]);
    const others = [
      mail(1, { title: 'Another' }),
      { ...mail(1), text: 'Another text.' },
      mail(1, {}, { attachments: [ATTACHMENT] }),
    ];
    const answers = await Promise.all(others.map(store));
    expect(answers.map(refusal)).toEqual(others.map(() => '409 source-conflict'));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test.each<[string, object]>([
    ['a mail without text', { ...mail(2), text: undefined }],
    ['a mail with segments', { ...mail(2), segments: [SEGMENT] }],
    ['a meeting with text', { ...meeting('a', [SEGMENT]), text: 'x' }],
    ['a meeting without segments', meeting('a', [])],
    ['a meeting that goes back', meeting('a', [{ ...SEGMENT, start_s: 5 }, SEGMENT])],
    ['a meeting without a link', meeting('a', [SEGMENT], { link: null })],
    ['a meeting with a thread', meeting('a', [SEGMENT], { thread: null })],
    ['another id', mail(2, { id: '<m2@example.org>' })],
    ['a day instead of a moment', mail(2, { occurred_at: '2026-03-12' })],
    ['a moment with an offset', mail(2, { occurred_at: '2026-03-12T09:00:00+01:00' })],
    ['a link to a script', mail(2, { link: 'javascript:alert(1)' })],
    ['a key too many', mail(2, { foo: 1 })],
    ['an attachment with text of no origin', mail(2, {}, { attachments: [{ ...ATTACHMENT, text: 'x' }] })],
    ['an attachment of origin none', mail(2, {}, { attachments: [{ ...ATTACHMENT, text_origin: 'none' }] })],
    ['201 attachments', mail(2, {}, { attachments: Array.from({ length: 201 }, () => ATTACHMENT) })],
    ['own words', mail(2, { kind: 'manual', id: 'manual:person:1' })],
  ])('[RU30] %s is refused', async (_, body) => {
    expect(refusal(await store(body))).toBe('400 validation-failed');
  });

  test('[RU31, RU33] what was stored is read back as it was, its text on request', async () => {
    const files = [{ ...ATTACHMENT, text: 'Plan', text_origin: 'ocr', external: 'paperless:1' }, ATTACHMENT];
    await store(mail(3, {}, { attachments: files }));
    const id = 'mail:<m3@example.org>';
    const { json } = await readBack(id);
    expect(json).toMatchObject({
      id,
      kind: 'mail',
      fulltext_sha256: sha256(mail(3).text),
      text_chars: mail(3).text.length,
      segment_count: null,
      attachments: [
        { ref: `attachment/${id}#1`, n: 1, text_origin: 'ocr' },
        { n: 2, text_origin: 'none' },
      ],
    });
    expect(['text', 'segments', 'feeder', 'excerpt'].filter(key => key in json)).toEqual([]);
    expect('text' in json.attachments[0]).toBe(false);
    const whole = (await readBack(id, '?scope=sales&include=attachments,text')).json;
    expect([whole.text, whole.attachments[0].text, whole.attachments[1].text]).toEqual([mail(3).text, 'Plan', null]);
    const segments = [{ start_s: 0, speaker: 'Anna', text: 'Good morning' }, SEGMENT];
    await store(meeting('m3', segments));
    expect((await readBack('jamie:m3', '?scope=sales&include=text')).json).toMatchObject({
      fulltext_sha256: sha256(JSON.stringify(segments)),
      segment_count: 2,
      text_chars: null,
      segments,
    });
    for (const include of ['text,text', 'Text', 'all', 'text,'])
      expect(refusal(await readBack(id, `?scope=sales&include=${include}`))).toBe('400 validation-failed');
    const absent = [await readBack('mail:<none@example.org>'), await readBack(id, '?scope=tech')];
    expect(new Set(absent.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });
});

describe('quotes', () => {
  const quoted = async (text: string, quote: string): Promise<string> => {
    const id = `mail:<${sha256(text + quote)}@example.org>`;
    await store({ ...mail(0, { id }), text });
    const answer = await cairn.v1(
      'POST',
      '/v1/proposals',
      proposal(0, { source: { kind: 'mail', id, quote, link: null } }),
    );
    return answer.status === 201 ? 'found' : refusal(answer);
  };
  test.each([
    ['Retrofit KITS cost: “seventy” percent', 'retrofit kits cost seventy percent', true],
    ['Retrofit\n kits\u00a0cost  seventy percent', 'retrofit kits cost seventy percent', true],
    ['Retrofit kits cost ｓｅｖｅｎｔｙ percent', 'retrofit kits cost seventy percent', true],
    ['Die Gro\u0308ße der Kisten ist wichtig', 'die größe der kisten ist', true],
    ['Retrofit_kits-cost seventy', 'retrofit kits cost seventy', true],
    ['Retrofit kits … cost seventy', 'retrofit kits ... cost seventy', true],
    ['Retrofit ki\u00adts cost seventy percent', 'retrofit kits cost seventy percent', false],
    ['Retrofit ki\u200bts cost seventy percent', 'retrofit kits cost seventy percent', false],
    ['Retrofit kits cost −70 percent', 'retrofit kits cost -70 percent', false],
    ['Retrofit kits cost 70€ from May on', 'retrofit kits cost 70 from may', false],
    ['Die Straße ist lang und breit genug', 'die strasse ist lang und', false],
    ['xx abcdefghij klmnopqrs yy', 'abcdefghij klmnopqrs', true],
    ['xx abcdefghij klmnopqr yy', '"abcdefghij klmnopqr"', false],
  ])('[RU40] %j: %j', async (text, quote, stands) => {
    expect(await quoted(text, quote)).toBe(stands ? 'found' : '422 quote-not-found');
  });

  test.each([
    ['ask the supplier first and then we order', 50, true],
    ['supplier first Bob and then we order', 50, false],
    ['the delivery takes twelve working days', 120, true],
    ['the delivery takes twelve working days', 119, false],
    ['we always ask the supplier first', 120, true],
    ['we always ask the supplier first', 121, false],
  ])('[RU41] in a meeting %j at second %i', async (quote, timestamp_s, stands) => {
    await store(
      meeting('window', [
        { start_s: 0, speaker: 'Anna', text: 'We always ask the supplier first' },
        { start_s: 100, speaker: 'Bob', text: 'and then we order black hook rails' },
        { start_s: 240, speaker: null, text: 'the delivery takes twelve working days' },
      ]),
    );
    const source = { kind: 'jamie', id: 'jamie:window', quote, timestamp_s, link: 'https://meetings.example/1' };
    const answer = await cairn.v1('POST', '/v1/proposals', proposal(0, { source }));
    expect(answer.status).toBe(stands ? 201 : 422);
  });

  test('[RU50, RU55] a secret comes before an unknown source, that before the quote, that before what it replaces', async () => {
    await store(mail(4));
    const elsewhere = {
      kind: 'mail',
      id: 'mail:<m4@example.org>',
      quote: 'words that stand nowhere in it',
      link: null,
    };
    const tried = [
      proposal('none', { statement: 'Log in with AKIAIOSFODNN7EXAMPLE', supersedes: 'sales-9999' }),
      proposal('none', { supersedes: 'sales-9999' }),
      proposal(4, { source: elsewhere, supersedes: 'sales-9999' }),
      proposal(4, { supersedes: 'sales-9999' }),
    ];
    const answers = [];
    for (const body of tried) answers.push(await cairn.v1('POST', '/v1/proposals', body));
    expect(answers.map(refusal)).toEqual([
      '422 secret-detected',
      '422 source-unknown',
      '422 quote-not-found',
      '422 reference-unknown',
    ]);
    expect(answers[0]!.text).not.toContain('AKIA');
  });
});
