import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decide, proposed } from '../rules/world.ts';
import { ANNA, BEN, formOn, world, type Answer, type World } from './world.ts';

let here: World;
let id: string;
beforeEach(async () => {
  here = await world();
  id = await proposed(here.rules);
});
afterEach(() => here.end());

const stored = (table = 'decision'): number =>
  here.rules.rows('sales', `SELECT count(*) AS n FROM ${table}`)[0]!['n'] as number;
const newest = () =>
  here.rules.rows('sales', `SELECT * FROM rule_version WHERE rule_id = '${id}' ORDER BY version DESC LIMIT 1`)[0]!;
const formFor = async (decision: 'confirm' | 'reject', rule = id): Promise<Record<string, string>> =>
  formOn((await here.get(`/approval/rules/${rule}`)).text, decision);
const send = (
  fields: Record<string, string> | [string, string][] | string,
  headers: Record<string, string> = {},
): Promise<Answer> => here.post(`/v1/rules/${id}/decision`, fields, { cookie: here.cookieOf(ANNA), ...headers });
const codeOf = ({ text, json }: Answer): string => json?.error ?? /<code>([\w-]+)<\/code>/.exec(text)?.[1];

describe('the way of a form', () => {
  test('[AP23] a confirmation is stored and leads to the page of the rule', async () => {
    const { status, headers } = await send(await formFor('confirm'));
    expect([status, headers.get('location')]).toEqual([303, `/approval/rules/${id}`]);
    expect(newest()).toMatchObject({ version: 2, status: 'confirmed', changed_by: 'person:1', reason: 'confirmed' });
    expect(here.rules.rows('sales', 'SELECT kind, decided_by, decided_by_identity, reason FROM decision')).toEqual([
      { kind: 'confirm', decided_by: 'person:1', decided_by_identity: ANNA, reason: null },
    ]);
    const page = await here.get(`/approval/rules/${id}`);
    expect(page.text).toContain(`Confirmed by ${ANNA} on 12 March 2026 at 11:00`);
    expect(page.text).not.toContain('id="confirm"');
  });

  test('[AP23] a rejection with its reason', async () => {
    const reason = 'Nobody said so.\r\nAsk Ada.';
    expect((await send({ ...(await formFor('reject')), reason })).status).toBe(303);
    expect(newest()).toMatchObject({ status: 'rejected', reason: 'Nobody said so.\nAsk Ada.' });
  });

  test('[AP21] nothing but what the person changed is changed', async () => {
    const form = await formFor('confirm');
    await send({ ...form, statement: `${form['statement']} – always`, keywords: 'hook rail, Lieferzeit ,, hook rail' });
    const before = here.rules.rows('sales', `SELECT * FROM rule_version WHERE rule_id = '${id}' AND version = 1`)[0]!;
    const { statement, keywords, version, status, reason, changed_by, changed_at, ...rest } = newest();
    expect(rest).toEqual(Object.fromEntries(Object.entries(before).filter(([name]) => name in rest)));
    expect([statement, keywords]).toEqual([`${before['statement']} – always`, '["hook rail","Lieferzeit"]']);
    expect([version, status, reason, changed_by]).toEqual([2, 'confirmed', 'confirmed', 'person:1']);
    expect(changed_at).toBeTruthy();
  });

  test.each([
    ['kind', 'note', 'kind', 'note'],
    ['valid_from', '2026-06-01', 'valid_from', '2026-06-01'],
    ['said_at', '2026-07-01T09:30', 'said_at', '2026-07-01T07:30:00Z'],
    ['said_at', '2026-01-01T09:30:15', 'said_at', '2026-01-01T08:30:15Z'],
    ['said_at', '2026-01-01T09:30:00Z', 'said_at', '2026-01-01T09:30:00Z'],
    ['speaker', ' Grace ', 'speaker', 'Grace'],
    ['speaker', '', 'speaker', null],
    ['keywords', '', 'keywords', '[]'],
    ['reason', ' As agreed ', 'reason', 'As agreed'],
  ])('[AP21, AP27] %s as %j', async (field, value, column, kept) => {
    expect((await send({ ...(await formFor('confirm')), [field]: value })).status).toBe(303);
    expect(newest()[column]).toBe(kept);
  });

  test('[AP21] a form without the fields that may be changed confirms what was shown', async () => {
    const { csrf, shown_sha256, decision, version } = await formFor('confirm');
    expect((await send({ csrf, shown_sha256, decision, version } as Record<string, string>)).status).toBe(303);
    expect(newest()).toMatchObject({ status: 'confirmed', speaker: 'Ada' });
  });

  test.each(['source', 'quote', 'timestamp_s', 'source_link', 'link'])('[AP21] %s cannot be sent along', async name => {
    const answer = await send({ ...(await formFor('confirm')), [name]: 'something else' });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'source-immutable']);
    expect(stored()).toBe(0);
  });

  test.each(['status', 'id', 'body', 'relations', 'changed_by', '__proto__', 'constructor'])(
    '[AP21] nor a field %s that no form has',
    async name => {
      for (const decision of ['confirm', 'reject'] as const) {
        const answer = await send({
          ...(await formFor(decision)),
          reason: 'because',
          ...Object.fromEntries([[name, 'confirmed']]),
        });
        expect([answer.status, codeOf(answer)]).toEqual([400, 'validation-failed']);
      }
      expect(stored()).toBe(0);
    },
  );

  test.each(['revoke', 'review', 'adopt', '', 'confirm '])('[AP23] a decision %j is none', async decision => {
    const answer = await send({ ...(await formFor('confirm')), decision, reason: 'because' });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'validation-failed']);
    expect(stored()).toBe(0);
  });
});

describe('forms that are refused', () => {
  test('[AP24] come back with what was entered, and name the fields', async () => {
    const typed = { statement: 'too "short', keywords: 'a, <b>', speaker: 'Ada & Ben', reason: 'why not' };
    const answer = await send({ ...(await formFor('confirm')), ...typed, valid_from: '2026-02-30' });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'validation-failed']);
    const again = formOn(answer.text, 'confirm');
    expect(again).toMatchObject({ ...typed, valid_from: '2026-02-30' });
    for (const name of ['keywords', 'valid_from']) expect(answer.text).toContain(`<a href="#${name}">`);
    expect(answer.text.match(/aria-invalid="true"/g)).toHaveLength(2);
    expect(formOn(answer.text, 'reject')['reason']).toBe('');
    expect((await send({ ...again, keywords: 'aa', valid_from: '2026-03-01' })).status).toBe(303);
    expect(newest()).toMatchObject({ statement: 'too "short', speaker: 'Ada & Ben', reason: 'why not' });
  });

  test('[AP24] a rejection without a reason comes back', async () => {
    for (const reason of ['', ' \r\n\t']) {
      const answer = await send({ ...(await formFor('reject')), reason });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'reason-missing']);
      expect(answer.text).toContain('<a href="#reason">');
    }
    expect((await send({ ...(await formFor('reject')), reason: 'x'.repeat(1001) })).status).toBe(400);
    expect(stored()).toBe(0);
  });

  test('[AP24] so does one that replaces a rule from a day on which that one does not hold yet', async () => {
    const old = id;
    await decide(here.rules, old, { decision: 'confirm', version: 1 });
    id = await proposed(here.rules, { supersedes: old, valid_from: '2026-04-01' });
    const answer = await send({ ...(await formFor('confirm')), valid_from: '2026-03-11' });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'reference-unknown']);
    expect(formOn(answer.text, 'confirm')['valid_from']).toBe('2026-03-11');
  });

  test('[AP22] one that was sent before stores nothing', async () => {
    const form = await formFor('confirm');
    const rejecting = await formFor('reject');
    expect((await send(form)).status).toBe(303);
    const again = await send(form);
    expect([again.status, codeOf(again)]).toEqual([409, 'version-outdated']);
    expect(again.text).toContain(`href="/approval/rules/${id}"`);
    const other = await send({ ...rejecting, version: '2', reason: 'no' });
    expect([other.status, codeOf(other)]).toEqual([409, 'version-outdated']);
    expect([stored(), stored('rule_version')]).toEqual([1, 2]);
  });

  test('[AP22] a stale one, and one with another digest or none', async () => {
    const form = await formFor('confirm');
    const wrong: [Record<string, string>, number, string][] = [
      [{ ...form, shown_sha256: 'f'.repeat(64) }, 409, 'version-outdated'],
      [{ ...form, version: '2' }, 409, 'version-outdated'],
      [{ ...form, shown_sha256: form['shown_sha256']!.toUpperCase() }, 400, 'validation-failed'],
      [{ ...form, shown_sha256: '' }, 400, 'validation-failed'],
      [Object.fromEntries(Object.entries(form).filter(([name]) => name !== 'shown_sha256')), 400, 'validation-failed'],
      [{ ...form, version: '1.0' }, 400, 'validation-failed'],
      [{ ...form, version: '-1' }, 400, 'validation-failed'],
      [{ ...form, version: '1e0' }, 400, 'validation-failed'],
    ];
    for (const [fields, status, code] of wrong) {
      const answer = await send(fields);
      expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    }
    const other = await proposed(here.rules, { statement: 'Ask for the delivery time twice, please' });
    const foreign = await send(await formFor('confirm', other));
    expect([foreign.status, codeOf(foreign)]).toEqual([409, 'version-outdated']);
    expect(stored()).toBe(0);
  });

  test('[AP23] a rule that lost what it would replace names that one', async () => {
    const old = id;
    await decide(here.rules, old, { decision: 'confirm', version: 1 });
    id = await proposed(here.rules, { supersedes: old });
    const form = await formFor('confirm');
    const second = await proposed(here.rules, { supersedes: old });
    await decide(here.rules, second, { decision: 'confirm', version: 1 });
    const answer = await send(form);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'already-decided']);
    expect(answer.text).toContain(`${old}, which it would replace, is no longer in force.`);
    expect(answer.text).toContain(`href="/approval/rules/${old}"`);
    expect(answer.text).toContain(`href="/approval/rules/${id}"`);
  });

  test('[AP23] an unknown rule, an id that is none', async () => {
    const form = await formFor('confirm');
    const to = (rule: string) => here.post(`/v1/rules/${rule}/decision`, form, { cookie: here.cookieOf(ANNA) });
    const missing = await to('sales-0099');
    expect([missing.status, codeOf(missing)]).toEqual([404, 'not-found']);
    for (const rule of ['sales', '%3Cscript%3E', 'sales-1']) {
      const answer = await to(rule);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'validation-failed']);
      expect(answer.text).not.toContain('<script');
    }
  });
});

describe('who sends it', () => {
  test('[AP20] not without the token of the person', async () => {
    const form = await formFor('confirm');
    const { csrf, ...rest } = form;
    for (const fields of [
      rest,
      { ...rest, csrf: '' },
      { ...rest, csrf: await here.csrfOf(BEN) },
      { ...rest, csrf: `${csrf} ` },
    ]) {
      const answer = await send(fields);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf-failed']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect(stored()).toBe(0);
    expect((await send(rest, { csrf: csrf! })).status).toBe(303);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandbox', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['another name', { origin: 'http://localhost' }],
    ['the same host by https', { origin: 'https://127.0.0.1' }],
    ['the origin twice', { origin: 'SELF, SELF' }],
    ['the origin with a path', { origin: 'SELF/' }],
    ['nobody', { origin: '' }],
    ['a page of the same site', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['a page of another site', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['the address bar', { origin: '', 'sec-fetch-site': 'none' }],
    ['another site that claims to be ours', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('[AP20] not from %s', async (_, headers) => {
    const form = await formFor('confirm');
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replaceAll('SELF', here.publicUrl)]),
    );
    const origin = sent['origin'] === '' ? {} : { origin: sent['origin'] };
    const answer = await here.ask(`/v1/rules/${id}/decision`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: here.cookieOf(ANNA),
        ...(sent['sec-fetch-site'] && { 'sec-fetch-site': sent['sec-fetch-site'] }),
        ...origin,
      } as Record<string, string>,
      body: new URLSearchParams(form).toString(),
    });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf-failed']);
    expect(stored()).toBe(0);
  });

  test('[AP20] without Origin what the browser says of itself counts', async () => {
    const body = new URLSearchParams(await formFor('confirm')).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...type, cookie: here.cookieOf(ANNA), 'sec-fetch-site': 'same-origin' };
    expect((await here.ask(`/v1/rules/${id}/decision`, { method: 'POST', headers, body })).status).toBe(303);
  });
});

describe('JSON', () => {
  const confirm = { decision: 'confirm', version: 1 };

  test('[AP18] decides and answers what became of the rule', async () => {
    const { status, json } = await here.decideJson(id, { ...confirm, change: { relations: [] }, reason: 'fine' });
    expect(status).toBe(200);
    expect(json).toEqual({
      ref: `rule/${id}@2`,
      status: 'confirmed',
      decision: {
        kind: 'confirm',
        version: 1,
        decided_by: 'person:1',
        decided_at: '2026-03-12T10:00:00.000Z',
        reason: 'fine',
        new_version: 2,
        origin: 'grant',
        mode: 'manual',
      },
    });
    expect(newest()['relations']).toBe('[]');
  });

  test('[AP22] the digest may come as If-Match or in the body', async () => {
    const shown = (await formFor('confirm'))['shown_sha256']!;
    const other = 'f'.repeat(64);
    const sent = async (body: object, headers: Record<string, string> = {}) => {
      const { status, json } = await here.decideJson(id, { ...confirm, ...body }, headers);
      return [status, json.error, json.current];
    };
    const outdated = [409, 'version-outdated', `rule/${id}@1`];
    const invalid = [400, 'validation-failed', undefined];
    expect(await sent({}, { 'if-match': `"${other}"` })).toEqual(outdated);
    expect(await sent({ shown_sha256: other })).toEqual(outdated);
    expect(await sent({ shown_sha256: other }, { 'if-match': shown })).toEqual(invalid);
    for (const odd of ['*', '""', `"${shown}", "${shown}"`, shown.slice(1)]) {
      expect(await sent({}, { 'if-match': odd })).toEqual(invalid);
    }
    expect(await sent({ shown_sha256: 5 })).toEqual(invalid);
    expect(await sent({ shown_sha256: shown, csrf: 'x' }, { 'if-match': `"${shown}"` })).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  test('[AP20] the token may come in the body', async () => {
    const csrf = await here.csrfOf(ANNA);
    expect((await here.decideJson(id, { ...confirm, csrf: [csrf] }, { csrf: '' })).json.error).toBe('csrf-failed');
    const headers = { 'content-type': 'application/json', origin: here.publicUrl, cookie: here.cookieOf(ANNA) };
    const body = JSON.stringify({ ...confirm, csrf });
    expect((await here.ask(`/v1/rules/${id}/decision`, { method: 'POST', headers, body })).status).toBe(200);
  });

  test('[AP23] refusals are those of the op, with what goes with them', async () => {
    const asked = async (body: unknown) => {
      const { status, json } = await here.decideJson(id, body);
      return [status, json.error];
    };
    expect(await asked({ decision: 'reject', version: 1 })).toEqual([400, 'reason-missing']);
    expect(await asked({ ...confirm, change: { quote: 'x' } })).toEqual([400, 'source-immutable']);
    expect(await asked({ ...confirm, change: { statement: 'short' } })).toEqual([400, 'validation-failed']);
    expect(await asked({ ...confirm, change: { supersedes: 'sales-0099' } })).toEqual([422, 'reference-unknown']);
    expect(await asked({ ...confirm, change: { supersedes: 'other-0001' } })).toEqual([403, 'scope-not-allowed']);
    expect(await asked({ ...confirm, version: 2 })).toEqual([409, 'version-outdated']);
    expect(await asked([confirm])).toEqual([400, 'validation-failed']);
    expect(await asked('null')).toEqual([400, 'validation-failed']);
    expect(await asked('{"decision":"confirm"')).toEqual([400, 'bad-json']);
    const invalid = await here.decideJson(id, { ...confirm, change: { statement: 'short' } });
    expect(invalid.json.issues[0].path).toEqual(['change', 'statement']);
    expect((await here.decideJson(id, { ...confirm, change: { supersedes: id } })).json.remedy).toContain(
      'name a confirmed rule',
    );
    expect(stored()).toBe(0);
  });
});

describe('limits', () => {
  test('[AP25] so many decisions a minute for each grant', async () => {
    await here.end();
    here = await world({ limits: { decisionsPerMinute: 2 } });
    id = await proposed(here.rules);
    await here.grants.add(
      { kind: 'person', auth: 'email', identity: BEN, scopes: ['sales'], rights: ['decide'], label: null },
      here.rules.clock(),
    );
    const asked = (identity = ANNA) => here.decideJson(id, { decision: 'confirm', version: 9 }, {}, identity);
    expect((await here.decideJson(id, {}, { csrf: 'x' })).status).toBe(403);
    expect([(await asked()).status, (await asked()).status]).toEqual([409, 409]);
    const third = await asked();
    expect([third.status, third.json.error, third.headers.get('retry-after')]).toEqual([429, 'rate-limited', '30']);
    const form = await send(await formFor('confirm'));
    expect([form.status, codeOf(form), form.headers.get('retry-after')]).toEqual([429, 'rate-limited', '30']);
    expect((await asked(BEN)).status).toBe(409);
    here.rules.pass(30_000);
    expect((await asked()).status).toBe(409);
  });

  test('[AP26] a body that is too large, of another type, encoded, or with a field twice', async () => {
    const form = await formFor('confirm');
    const query = new URLSearchParams(form).toString();
    const large = await send(`${query}&x=${'x'.repeat(256 * 1024)}`);
    expect([large.status, codeOf(large)]).toEqual([413, 'payload-too-large']);
    const json = await here.decideJson(id, { reason: 'x'.repeat(256 * 1024) });
    expect([json.status, json.json.error]).toEqual([413, 'payload-too-large']);
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json; charset=utf-16', '']) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await send(query, { 'content-type': type, accept });
        expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported-media-type']);
        expect(answer.json === undefined).toBe(accept === 'text/html');
      }
    }
    expect((await send(query, { 'content-encoding': 'gzip' })).status).toBe(415);
    for (const name of ['version', 'decision', 'csrf', 'statement']) {
      const twice = await send([...Object.entries(form), [name, form[name]!]]);
      expect([twice.status, codeOf(twice)]).toEqual([400, 'validation-failed']);
    }
    expect(stored()).toBe(0);
    expect((await send(query, { 'content-type': 'application/x-www-form-urlencoded; charset="UTF-8"' })).status).toBe(
      303,
    );
  });

  test('[AP26] bytes that are no UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"decision":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const head = async (type: string) => ({
      method: 'POST',
      headers: {
        'content-type': type,
        origin: here.publicUrl,
        cookie: here.cookieOf(ANNA),
        csrf: await here.csrfOf(ANNA),
      },
      body: bytes,
    });
    const json = await here.ask(`/v1/rules/${id}/decision`, await head('application/json'));
    expect([json.status, codeOf(json)]).toEqual([400, 'bad-json']);
    const query = `${new URLSearchParams(await formFor('confirm')).toString()}`;
    const form = await here.ask(`/v1/rules/${id}/decision`, {
      ...(await head('application/x-www-form-urlencoded')),
      body: Buffer.concat([Buffer.from(query.replace('&reason=', '')), Buffer.from('&reason='), Buffer.from([0xff])]),
    });
    expect([form.status, codeOf(form)]).toEqual([400, 'validation-failed']);
    expect(stored()).toBe(0);
  });

  test('[AP26] a refusal is read although the body is still on its way, and a body that never comes ends the connection', async () => {
    const socket = connect(Number(new URL(here.url).port), '127.0.0.1');
    const head = `POST /v1/rules/${id}/decision HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900000\r\n\r\n`;
    socket.write(`${head}${' '.repeat(1000)}`);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      socket.on('data', chunk => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    socket.destroy();
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect((await here.get('/approval')).status).toBe(200);
  });
});

describe('faults and the log', () => {
  test('[AP28] a fault of ours says nothing of itself', async () => {
    here.rules.files.open('sales').exec('DROP TABLE source_attachment');
    const page = await here.get(`/approval/rules/${id}`);
    expect([page.status, codeOf(page)]).toEqual([500, 'internal']);
    expect(page.text).not.toContain('source_attachment');
    here.rules.files.open('sales').exec('DROP TABLE decision');
    const json = await here.decideJson(id, { decision: 'confirm', version: 1 });
    expect([json.status, Object.keys(json.json)]).toEqual([500, ['error', 'request_id']]);
    const faults = here.logged.filter(line => line['code'] === 'internal');
    const [call, page500] = [
      { msg: 'tool.completed', status: 'error' },
      { msg: 'approval.refused', status: 500 },
    ];
    expect(faults).toMatchObject([call, page500, call, page500]);
  });

  test('[AP29] a refusal leaves a line with code and grant, and nothing that was sent', async () => {
    const form = await formFor('confirm');
    await send({ ...form, statement: 'geheim', csrf: 'falsch' });
    await send({ ...form, statement: 'geheim' });
    expect(here.logged.filter(line => line['msg'] !== 'tool.completed')).toMatchObject([
      { level: 40, channel: 'approval', code: 'csrf-failed', status: 403, grant: 'person:1', msg: 'approval.refused' },
      { level: 30, channel: 'approval', code: 'validation-failed', status: 400, grant: 'person:1' },
    ]);
    expect(JSON.stringify(here.logged)).not.toMatch(/geheim|falsch|gn_session/);
  });

  test('[AP50] each call of an op leaves a line and is counted, like those over MCP', async () => {
    await here.get('/approval');
    await here.decideJson(id, { decision: 'confirm', version: 7 });
    const calls = here.logged.filter(line => line['msg'] === 'tool.completed');
    const who = { tenant: 'default', transport: 'approval', subject: 'person:1', duration_ms: expect.any(Number) };
    expect(calls).toMatchObject([
      { ...who, tool: 'inbox', status: 'ok' },
      { ...who, tool: 'decide', status: 'rejected', code: 'version-outdated' },
    ]);
    expect(await here.metrics.text()).toContain(
      'escurel_tool_calls{tenant="default",tool="inbox",transport="approval",status="ok"} 1',
    );
  });

  test('[AP23] a locked scope is 503', async () => {
    await here.end();
    here = await world({ scopes: ['sales'], granted: ['sales', 'elsewhere'] });
    id = 'elsewhere-0001';
    const answer = await here.decideJson(id, { decision: 'confirm', version: 1 });
    expect([answer.status, answer.json.error]).toEqual([503, 'scope-locked']);
    const page = await here.get(`/approval/rules/${id}`);
    expect([page.status, codeOf(page)]).toEqual([503, 'scope-locked']);
    expect((await here.get('/approval')).text).toContain('This scope is locked.');
  });
});
