import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confirmed, decide, FEEDER, mail, proposed, QUOTE } from '../rules/world.ts';
import { ANNA, formOn, SERVICE, world, type Options, type World } from './world.ts';

let here: World;
const open = async (options: Options = {}): Promise<void> => void (here = await world(options));
beforeEach(() => open());
afterEach(() => here.end());

const page = async (id: string): Promise<string> => (await here.get(`/approval/rules/${id}`)).text;
const send = (id: string, fields: Record<string, string>) =>
  here.post(`/v1/rules/${id}/decision`, fields, { cookie: here.cookieOf(ANNA) });
const newest = (id: string) => here.rules.rows('sales', `SELECT * FROM current_version WHERE rule_id = '${id}'`)[0]!;
const decisions = () => here.rules.rows('sales', 'SELECT kind, reason, new_version FROM decision ORDER BY id');

describe('a confirmed rule', () => {
  test('[AP30] is said to hold by a form that changes nothing, or keywords', async () => {
    const id = await confirmed(here.rules);
    const form = formOn(await page(id), 'review');
    expect(form).toMatchObject({ decision: 'review', version: '2', keywords: 'delivery time, hook rail', reason: '' });
    expect((await send(id, form)).status).toBe(303);
    expect(decisions().at(-1)).toEqual({ kind: 'review', reason: null, new_version: null });
    const again = formOn(await page(id), 'review');
    await send(id, { ...again, keywords: 'delivery time, lead time', reason: 'as they say' });
    expect(decisions().at(-1)).toEqual({ kind: 'review', reason: 'as they say', new_version: 3 });
    expect(newest(id)['keywords']).toBe('["delivery time","lead time"]');
  });

  test('[AP30] is revoked by a form with a day and a reason', async () => {
    const id = await confirmed(here.rules);
    const form = formOn(await page(id), 'revoke');
    expect(form).toMatchObject({ decision: 'revoke', version: '2', valid_until: '2026-03-12', reason: '' });
    const answer = await send(id, { ...form, valid_until: '2026-05-01', reason: 'The supplier is gone.' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/approval/rules/${id}`]);
    expect(newest(id)).toMatchObject({ status: 'superseded', valid_until: '2026-05-01', superseded_by: null });
    const shown = await page(id);
    expect(shown).toContain('Revoked by anna@example.com');
    expect(shown).toContain('The supplier is gone.');
    expect(shown).not.toContain('<textarea');
  });

  test('[AP24] a form that does not fit comes back with what was typed', async () => {
    const id = await confirmed(here.rules);
    const form = formOn(await page(id), 'revoke');
    const early = await send(id, { ...form, valid_until: '2026-03-01', reason: 'was wrong' });
    expect(early.status).toBe(400);
    expect(early.text).toContain('<a href="#valid_until">');
    expect(formOn(early.text, 'revoke')).toMatchObject({ valid_until: '2026-03-01', reason: 'was wrong' });
    const silent = await send(id, form);
    expect([silent.status, silent.text.includes('<code>reason-missing</code>')]).toEqual([400, true]);
    const wide = await send(id, { ...formOn(await page(id), 'review'), keywords: 'x' });
    expect([wide.status, formOn(wide.text, 'review')['keywords']]).toEqual([400, 'x']);
    expect(newest(id)['status']).toBe('confirmed');
  });

  test('[AP24] JSON that does not fit is told where, as its sender sees it', async () => {
    const id = await confirmed(here.rules);
    const revoke = { decision: 'revoke', version: 2, reason: 'x', valid_until: '2026-03-01' };
    const { status, json } = await here.decideJson(id, revoke);
    expect([status, json.message]).toEqual([400, 'valid_until: the rule holds from 2026-03-12 only']);
    expect(json.issues).toEqual([expect.objectContaining({ path: ['valid_until'] })]);
    const unknown = await here.decideJson(id, { ...revoke, valid_until: '2026-05-01', mode: 'manual' });
    expect([unknown.status, unknown.json.message.startsWith('body'), unknown.json.issues[0].path]).toEqual([
      400,
      false,
      [],
    ]);
  });

  test('[AP22] a form of a version that is no longer the newest is refused', async () => {
    const id = await confirmed(here.rules);
    const shown = await page(id);
    await send(id, { ...formOn(shown, 'review'), keywords: 'other' });
    const stale = await send(id, { ...formOn(shown, 'revoke'), reason: 'late' });
    expect([stale.status, stale.text.includes('<code>version-outdated</code>')]).toEqual([409, true]);
    expect(newest(id)).toMatchObject({ status: 'confirmed', version: 3 });
  });
});

describe('confirming', () => {
  test('[AP31] relations are edited row by row, and left alone when nothing was typed', async () => {
    const id = await proposed(here.rules);
    const form = formOn(await page(id), 'confirm');
    expect(form).toMatchObject({ relation_1_kind: 'product', relation_1_name: 'Hook rail', relation_1_ref: '' });
    await send(id, {
      ...form,
      relation_1_name: '',
      relation_1_ref: 'left behind',
      relation_2_kind: 'supplier',
      relation_2_name: ' Müller & Söhne ',
      relation_2_ref: 'art-8',
    });
    expect(JSON.parse(newest(id)['relations'])).toEqual([{ kind: 'supplier', name: 'Müller & Söhne', ref: 'art-8' }]);
    const other = await proposed(here.rules);
    const { relation_1_kind: _, ...without } = formOn(await page(other), 'confirm');
    await send(other, without);
    expect(JSON.parse(newest(other)['relations'])).toEqual([{ kind: 'product', name: 'Hook rail', ref: null }]);
    const broken = [{ kind: 'product', name: 'Hook\nrail ', ref: 'a\r\nb' }];
    const lines = await proposed(here.rules, { relations: broken, speaker: 'Ada\nLovelace' });
    const fields = formOn(await page(lines), 'confirm');
    const typed = Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text.replace(/[\r\n]/g, '')]));
    await send(lines, { ...typed, statement: fields['statement']! });
    expect([JSON.parse(newest(lines)['relations']), newest(lines)['speaker']]).toEqual([broken, 'Ada\nLovelace']);
    const third = await proposed(here.rules);
    const wrong = await send(third, { ...formOn(await page(third), 'confirm'), relation_1_kind: 'friend' });
    expect([wrong.status, wrong.text.includes('<a href="#relations">')]).toEqual([400, true]);
  });

  test('[AP31] the rule to be replaced can be named, changed and left out', async () => {
    const old = await confirmed(here.rules);
    const id = await proposed(here.rules, { valid_from: '2026-04-01' });
    const form = formOn(await page(id), 'confirm');
    expect(form['supersedes']).toBe('');
    expect(await page(id)).toContain(`<option value="${old}"></option>`);
    const unknown = await send(id, { ...form, supersedes: 'sales-0099' });
    expect([unknown.status, unknown.text.includes('<a href="#supersedes">')]).toEqual([422, true]);
    expect(formOn(unknown.text, 'confirm')['supersedes']).toBe('sales-0099');
    expect((await send(id, { ...form, supersedes: old })).status).toBe(303);
    expect(newest(old)).toMatchObject({ status: 'superseded', superseded_by: id, valid_until: '2026-04-01' });
    const next = await proposed(here.rules, { supersedes: id });
    const replacing = formOn(await page(next), 'confirm');
    expect(replacing['supersedes']).toBe(id);
    await send(next, { ...replacing, supersedes: '' });
    expect(newest(next)).toMatchObject({ status: 'confirmed', supersedes: null });
    expect(newest(id)['status']).toBe('confirmed');
  });
});

describe('what was rejected', () => {
  const refuse = async (statement: string, reason: string): Promise<string> => {
    const id = await proposed(here.rules, { statement });
    await decide(here.rules, id, { decision: 'reject', version: 1, reason });
    here.rules.pass(60_000);
    return id;
  };

  test('[AP32] is listed the newest first, by words, page by page', async () => {
    const ids = [
      await refuse('Ask for ÄPFEL before you order', 'nobody said so'),
      await refuse('Never ask for pears at all', 'The other way round'),
      await refuse('Ask for plums before you order', 'nobody said so either'),
    ];
    await refuse('Ask for the fourth fruit first', 'no');
    const list = async (query: string) => {
      const { status, json } = await here.get(`/v1/rejected?${query}`);
      return { status, ids: json.rules?.map((rule: { rule_id: string }) => rule.rule_id), next: json.next };
    };
    expect((await list('scope=sales')).ids).toEqual(['sales-0004', ...ids.toReversed()]);
    expect((await list('scope=sales&q=nobody+said')).ids).toEqual([ids[2], ids[0]]);
    expect((await list('scope=sales&q=%C3%A4pfel')).ids).toEqual([ids[0]]);
    expect((await list('scope=sales&q=fruit+pears')).ids).toEqual([]);
    expect(await list('scope=sales&limit=2')).toEqual({ status: 200, ids: ['sales-0004', ids[2]], next: ids[2] });
    expect(await list(`scope=sales&limit=2&after=${ids[2]}`)).toEqual({
      status: 200,
      ids: [ids[1], ids[0]],
      next: null,
    });
    const { json } = await here.get('/v1/rejected?scope=sales&q=plums');
    expect(json.rules[0]).toMatchObject({
      ref: `rule/${ids[2]}@2`,
      status: 'rejected',
      reason: 'nobody said so either',
    });
    expect(here.rules.rows('sales', `SELECT count(*) AS n FROM search_log WHERE operation = 'list_rejected'`)).toEqual([
      { n: 7 },
    ]);
    const { text } = await here.get('/approval/rejected?scope=sales&q=plums');
    expect(text).toContain('nobody said so either');
    expect(text).not.toContain('pears');
  });

  test.each([
    ['', 400, 'validation-failed'],
    ['?scope=sales&limit=201', 400, 'validation-failed'],
    ['?scope=sales&limit=x', 400, 'validation-failed'],
    ['?scope=sales&scope=legal', 400, 'validation-failed'],
    ['?scope=sales&status=rejected', 400, 'validation-failed'],
    ['?scope=other', 403, 'scope-not-allowed'],
    ['?scope=sales&after=other-0001', 403, 'scope-not-allowed'],
  ])('[AP33] GET /v1/rejected%s is refused', async (query, status, code) => {
    const answer = await here.get(`/v1/rejected${query}`);
    expect([answer.status, answer.json.error]).toEqual([status, code]);
  });
});

test('[AP33] nobody but a person who is signed in and may decide gets what is read here', async () => {
  for (const path of ['/v1/rejected?scope=sales', '/v1/export/sales']) {
    const none = await here.ask(path);
    expect([none.status, none.json.error]).toEqual([401, 'unauthorized']);
    expect(none.headers.get('www-authenticate')).toContain('resource_metadata=');
    const bearer = await here.ask(path, { headers: { authorization: 'Bearer something-else' } });
    expect([bearer.status, bearer.json.error]).toEqual([401, 'unauthorized']);
    expect((await here.ask(path, { headers: { authorization: `Bearer ${SERVICE}` } })).status).not.toBe(200);
    expect((await here.ask(path, { method: 'POST' })).status).toBe(404);
  }
  await here.end();
  await open({ rights: ['read', 'propose'] });
  for (const path of ['/v1/rejected?scope=sales', '/v1/export/sales']) {
    const reader = await here.get(path);
    expect([reader.status, reader.json.error]).toEqual([403, 'channel-not-allowed']);
  }
});

describe('the export', () => {
  const names = (bytes: Buffer): string[] => {
    const tar = gunzipSync(bytes);
    const found: string[] = [];
    for (let at = 0; tar[at] !== 0;) {
      found.push(tar.toString('utf8', at, tar.indexOf(0, at)));
      at += 512 + Math.ceil(Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) / 512) * 512;
    }
    return found;
  };

  test('[AP34] is a file with all of a scope, by route and by page', async () => {
    await confirmed(here.rules);
    for (const path of ['/v1/export/sales', '/approval/export/sales']) {
      const answer = await fetch(`${here.url}${path}`, { headers: { cookie: here.cookieOf(ANNA) } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/gzip');
      expect(answer.headers.get('content-disposition')).toBe(
        'attachment; filename="demo-sales-20260312T100000Z.tar.gz"',
      );
      expect(names(Buffer.from(await answer.arrayBuffer()))).toEqual([
        'sales/README.md',
        'sales/decisions.md',
        'sales/entities.md',
        'sales/index.md',
        'sales/sources.md',
        'sales/sales-0001.md',
      ]);
    }
    expect(here.rules.rows('sales', `SELECT outcome FROM search_log WHERE operation = 'export'`)).toHaveLength(2);
  });

  test('[AP34] is counted by the hour, for each grant, whichever way it is asked for', async () => {
    for (let n = 0; n < 6; n++) expect((await here.get(`/${n % 2 ? 'v1' : 'approval'}/export/sales`)).status).toBe(200);
    const { status, json, headers } = await here.get('/v1/export/sales');
    expect([status, json.error, headers.get('retry-after')]).toEqual([429, 'rate-limited', '600']);
    expect((await here.get('/approval/export/sales')).status).toBe(429);
    here.rules.pass(600_000);
    expect((await here.get('/v1/export/sales')).status).toBe(200);
    expect((await here.get('/v1/export/other')).json.error).toBe('rate-limited');
    here.rules.pass(3_600_000);
    expect((await here.get('/v1/export/other')).json.error).toBe('scope-not-allowed');
  });
});

test('[AP35] what is due is shown by how often it was asked for, and leads to the form that says it still holds', async () => {
  const rare = await confirmed(here.rules);
  const often = await confirmed(here.rules, { statement: 'Ask twice before you order black hook rails' });
  await here.rules.do('readRule', { ref: `rule/${often}` }, FEEDER);
  await here.rules.do('readRule', { ref: `rule/${often}` }, FEEDER);
  expect((await here.get('/approval/recheck')).text).toContain('Nothing to check here.');
  here.rules.pass(180 * 86_400_000);
  expect((await here.get('/approval')).text).not.toContain('to check</a>');
  here.rules.pass(86_400_000);
  await here.rules.do('readRule', { ref: `rule/${rare}` }, FEEDER);
  expect((await here.get('/approval')).text).toContain('2 to check</a>');
  const { text } = await here.get('/approval/recheck?scope=sales');
  expect(text.indexOf(`/approval/rules/${often}#review`)).toBeLessThan(text.indexOf(`/approval/rules/${rare}#review`));
  expect(text).toContain('asked for 2 times');
  expect(await page(often)).toContain('Still valid? Last looked at 181 days ago.');
  await send(often, formOn(await page(often), 'review'));
  expect((await here.get('/approval')).text).toContain('1 to check</a>');
  expect((await here.get('/approval/recheck?scope=other')).status).toBe(403);
});

test('[AP37] a source that holds a secret, or whose sender is not proven, is warned of', async () => {
  const auth = { from: 'a@b.example', authentication_results: ['mx; spf=pass; dkim=fail; dmarc=fail'] };
  const text = `Das Passwort lautet Sommer2026! ${QUOTE}, thanks`;
  await here.rules.do('storeSource', mail({ id: 'mail:<s@example.com>', auth }, { text }), FEEDER);
  const source = { kind: 'mail', id: 'mail:<s@example.com>', quote: QUOTE, link: null };
  const shown = await page(await proposed(here.rules, { source }));
  expect(shown).toContain('<code>named-secret</code>');
  expect(shown).toContain('is not proven: DKIM fail, DMARC fail.');
  expect(shown).toContain('SPF pass');
  const plain = await page(await proposed(here.rules));
  expect(plain).not.toContain('named-secret');
  expect(plain).not.toContain('is not proven');
});

test('[AP36] the search shows what agents find, and what was rejected besides', async () => {
  const id = await confirmed(here.rules);
  const waiting = await proposed(here.rules, { statement: 'Hook rails are black from now on, all of them' });
  const gone = await proposed(here.rules, { statement: 'Hook rails are never ordered by anybody' });
  await decide(here.rules, gone, { decision: 'reject', version: 1, reason: 'hook rails are ordered' });
  expect((await here.get('/approval/search')).text).not.toContain('id="found-title"');
  const all = (await here.get('/approval/search?text=what+about+hook+rails')).text;
  for (const one of [id, waiting, gone]) expect(all).toContain(`/approval/rules/${one}"`);
  const sure = (await here.get('/approval/search?text=hook+rails&with=confirmed&scope=sales')).text;
  expect(sure).toContain(`/approval/rules/${id}"`);
  for (const one of [waiting, gone]) expect(sure).not.toContain(`/approval/rules/${one}"`);
  expect((await here.get('/approval/search?text=hook+rails&with=confirmed&day=2026-03-11')).text).toContain(
    'Nothing was found.',
  );
  expect((await here.get('/approval/search?text=x&day=soon')).status).toBe(400);
  expect((await here.get('/approval/search?text=x&scope=other')).status).toBe(403);
});

test('[AP1] the way in leads back to every page that people start from', async () => {
  for (const path of ['/approval/recheck', '/approval/rejected', '/approval/search']) {
    const { status, headers } = await here.ask(path);
    expect([status, headers.get('location')]).toEqual([303, `/approval/login?next=${encodeURIComponent(path)}`]);
  }
  const { status, headers } = await here.ask('/approval/export/sales');
  expect([status, headers.get('location')]).toEqual([303, '/approval/login?next=%2Fapproval']);
});
