import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANNA, cookieOf, csrfOf, mail, refusal, startRules, TOKENS, type Rules } from './rules.ts';
import { request } from './client.ts';

let cairn: Rules;
beforeAll(async () => (cairn = await startRules()));
afterAll(() => cairn.stop());

const padded = (value: object, bytes: number): string => {
  const text = JSON.stringify(value);
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
};
const SMALL = 256 * 1024;
const LARGE = 10 * 1024 * 1024;

describe('bodies', () => {
  test('[VR3] up to the limit and not one byte more', async () => {
    const search = { scopes: ['sales'], text: 'x' };
    expect((await cairn.v1('POST', '/v1/search', padded(search, SMALL))).status).toBe(200);
    expect(refusal(await cairn.v1('POST', '/v1/search', padded(search, SMALL + 1)))).toBe('413 payload-too-large');
    expect((await cairn.v1('POST', '/v1/sources', padded(mail('large'), LARGE))).status).toBe(201);
    expect(refusal(await cairn.v1('POST', '/v1/sources', padded(mail('x'), LARGE + 1)))).toBe('413 payload-too-large');
  });

  test('[VR3] whoever sends far too much can read the answer every time', async () => {
    const answers = [];
    for (let each = 0; each < 12; each++)
      answers.push(refusal(await cairn.v1('POST', '/v1/sources', padded(mail('x'), LARGE + each * 100_000))));
    expect(answers.slice(1)).toEqual(Array.from({ length: 11 }, () => '413 payload-too-large'));
  });

  test('[AP26] so can a person at a browser, and the connection is kept', async () => {
    const headers = { cookie: cookieOf(ANNA), origin: cairn.origin, csrf: csrfOf(ANNA) };
    const answers = [];
    for (let each = 0; each < 12; each++) {
      const { status, headers: sent } = await request(`${cairn.origin}/v1/rules/sales-0001/decision`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: padded({}, SMALL + 1 + each * 200_000),
      });
      answers.push([status, sent.get('connection')]);
    }
    expect(answers).toEqual(Array.from({ length: 12 }, () => [413, 'keep-alive']));
  });

  test.each([
    ['no JSON', '{', 'application/json', '400 bad-json'],
    ['nothing', '', 'application/json', '400 bad-json'],
    ['text', '{}', 'text/plain', '415 unsupported-media-type'],
    ['a list', '[]', 'application/json', '400 validation-failed'],
    ['null', 'null', 'application/json', '400 validation-failed'],
  ])('[VR2, VR4] %s', async (_, body, type, refused) => {
    const answer = await request(`${cairn.origin}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKENS.api}`, 'content-type': type },
      body,
    });
    expect(refusal(answer)).toBe(refused);
    const known = new Set(['error', 'message', 'current', 'issues', 'remedy']);
    expect(Object.keys(answer.json).filter(key => !known.has(key))).toEqual([]);
  });
});
