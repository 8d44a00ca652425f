import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bearer, PERSON, SERVICE, TOKEN, world, type World } from './world.ts';

let here: World;
beforeEach(async () => {
  here = await world();
});
afterEach(() => here.end());

const NOW = '2026-03-12T10:00:00.000Z';
const codeOf = async (line: string, body?: unknown): Promise<string> => {
  const answer = await here.ask(line, body);
  return `${answer.status} ${answer.body.error}`;
};

describe('the token', () => {
  test.each([
    {},
    { authorization: '' },
    { authorization: TOKEN },
    { authorization: `Basic ${TOKEN}` },
    { authorization: `Bearer ${TOKEN}x` },
    { authorization: `Bearer ${TOKEN.slice(0, -1)}` },
    { authorization: `Bearer ${TOKEN}, Bearer ${TOKEN}` },
    { authorization: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`] },
    { cookie: `token=${TOKEN}` },
  ])('[OS10] %j is not it', async headers => {
    for (const line of [
      'GET /ops/status',
      'GET /ops/grants',
      'POST /ops/scopes',
      'GET /nothing',
      'DELETE /ops/grants',
    ]) {
      const answer = await here.ask(line, undefined, { headers });
      expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
      expect(JSON.stringify(answer.body)).not.toContain(TOKEN.slice(0, 8));
    }
    expect(here.lines.join()).not.toContain(TOKEN.slice(0, 8));
  });
});

describe('grants', () => {
  test('[OS11] of a person', async () => {
    const made = await here.ask('POST /ops/grants', PERSON);
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      grant: {
        id: 'person:1',
        kind: 'person',
        auth: 'email',
        identity: 'ann@example.org',
        fingerprint: null,
        scopes: ['sales'],
        rights: ['read', 'decide'],
        label: 'Ann',
        active: true,
        created_at: NOW,
        disabled_at: null,
      },
      bearer: null,
    });
    expect((await here.ask('GET /ops/grants')).body).toEqual({ grants: [made.body.grant] });
  });

  test('[OS11] renamed, with a name or none, and disabled for good', async () => {
    await here.ask('POST /ops/grants', PERSON);
    const rename = async (label: unknown) => (await here.ask('POST /ops/grants/person:1/rename', { label })).body.grant;
    expect(await rename('Ann of sales')).toMatchObject({ id: 'person:1', label: 'Ann of sales', active: true });
    expect(await rename(null)).toMatchObject({ label: null });
    const disabled = await here.ask('POST /ops/grants/person%3A1/disable');
    expect(disabled.body.grant).toMatchObject({ id: 'person:1', active: false, disabled_at: NOW });
    expect((await here.ask('POST /ops/grants/person:1/disable')).body).toEqual(disabled.body);
    expect(await rename('Ann who was')).toMatchObject({ label: 'Ann who was', active: false });
    for (const verb of ['rename', 'disable'])
      expect(await codeOf(`POST /ops/grants/person:2/${verb}`, verb === 'rename' ? { label: 'x' } : {})).toBe(
        '404 not-found',
      );
  });

  test('[OS12] of a service with a bearer, which is told once', async () => {
    const made = await here.ask('POST /ops/grants', SERVICE);
    const { bearer: token, grant } = made.body as { bearer: string; grant: Record<string, unknown> };
    expect(token).toMatch(/^gn_[A-Za-z0-9_-]{43}$/);
    const hash = createHash('sha256').update(token).digest('hex');
    expect(grant).toMatchObject({
      id: 'service:1',
      identity: null,
      fingerprint: `sha256:${hash.slice(0, 12)}`,
      label: null,
    });
    expect(await here.grants.find('bearer', hash)).toMatchObject({ id: 'service:1' });
    const { body } = await here.ask('GET /ops/grants');
    expect(body.grants).toEqual([grant]);
    const files = readdirSync(here.dataDir).filter(name => name !== 'ops.sock' && name !== 'scopes');
    const stored = files.map(name => readFileSync(join(here.dataDir, name), 'latin1')).join('');
    for (const text of [JSON.stringify(body), stored, here.lines.join()]) expect(text).not.toContain(token.slice(3));
    expect(JSON.stringify(body) + here.lines.join()).not.toContain(hash.slice(0, 16));
  });

  test('[OS12] two bearers are two', async () => {
    const [one, two] = [await here.ask('POST /ops/grants', SERVICE), await here.ask('POST /ops/grants', SERVICE)];
    expect(one.body.bearer).not.toBe(two.body.bearer);
    expect([one.body.grant.id, two.body.grant.id]).toEqual(['service:1', 'service:2']);
  });

  const ACCESS = { kind: 'service', auth: 'access-service', identity: 'Feeder', scopes: ['sales'], rights: ['read'] };
  test('[OS13] of a service by common name, as written', async () => {
    expect((await here.ask('POST /ops/grants', ACCESS)).body.grant).toMatchObject({
      identity: 'Feeder',
      fingerprint: null,
    });
  });

  test.each([
    { ...PERSON, kind: 'service' },
    { ...PERSON, auth: 'access-service' },
    { ...PERSON, auth: 'bearer', identity: undefined },
    { ...PERSON, identity: undefined },
    { ...PERSON, identity: 'ann' },
    { ...PERSON, identity: 'änn@example.org' },
    { ...PERSON, identity: 'ann @example.org' },
    { ...PERSON, scopes: [] },
    { ...PERSON, scopes: ['elsewhere'] },
    { ...PERSON, scopes: ['Sales'] },
    { ...PERSON, rights: [] },
    { ...PERSON, rights: ['admin'] },
    { ...PERSON, label: '' },
    { ...PERSON, more: 1 },
    { ...SERVICE, identity: 'mine' },
    { ...SERVICE, rights: ['decide'] },
    { ...ACCESS, identity: undefined },
    { ...ACCESS, rights: ['read', 'decide'] },
    {},
  ])('[OS13] %j is refused', async body => {
    expect(await codeOf('POST /ops/grants', body)).toBe('400 validation-failed');
    expect((await here.ask('GET /ops/grants')).body.grants).toEqual([]);
  });

  test('[OS14] an identity has one that is active', async () => {
    await here.ask('POST /ops/grants', PERSON);
    const again = await here.ask('POST /ops/grants', { ...PERSON, identity: 'ANN@example.org', scopes: ['legal'] });
    expect(again).toMatchObject({
      status: 409,
      body: { error: 'grant-exists', remedy: expect.stringContaining('disable') },
    });
    await here.ask('POST /ops/grants/person:1/disable');
    expect((await here.ask('POST /ops/grants', PERSON)).body.grant).toMatchObject({ id: 'person:2', active: true });
  });
});

describe('scopes', () => {
  test('[OS15] are made once', async () => {
    const made = await here.ask('POST /ops/scopes', { name: 'legal' });
    expect(made).toMatchObject({ status: 201, body: { scope: 'legal', created: true } });
    expect(here.files.state('legal')).toEqual({ created: true, lock: null });
    const again = await here.ask('POST /ops/scopes', { name: 'legal' });
    expect(again).toMatchObject({ status: 200, body: { scope: 'legal', created: false } });
  });

  test.each(['elsewhere', 'Sales', '../sales', '', 7, null])('[OS15] %j is none that may exist', async name => {
    expect(await codeOf('POST /ops/scopes', { name })).toBe('400 validation-failed');
  });

  test('[OS15] whose file is lost is not made anew', async () => {
    await here.ask('POST /ops/scopes', { name: 'sales' });
    await here.stop();
    here.files.close();
    rmSync(join(here.dataDir, 'scopes/sales.sqlite'));
    const next = await here.start();
    expect(await codeOf('POST /ops/scopes', { name: 'sales' })).toBe('503 scope-locked');
    expect((await here.ask('GET /ops/status')).body.scopes[0]).toMatchObject({
      created: true,
      locked: true,
      lock_reason: 'file-missing',
      version_count: 0,
    });
    await next.stop();
  });

  test('[OS16] stand in the status with all there is to say', async () => {
    await here.ask('POST /ops/scopes', { name: 'legal' });
    const scope = {
      last_backup_at: null,
      verified_at: null,
      verify_ok: null,
      probed_at: null,
      probe_ok: null,
      exported_at: null,
      export_sha256: null,
    };
    const { status, body } = await here.ask('GET /ops/status');
    expect(status).toBe(200);
    expect(body).toEqual({
      service: 'groundnote',
      instance: 'demo',
      version: '1.2.3',
      started_at: NOW,
      now: NOW,
      data_dir: realpathSync(here.dataDir),
      backup: {
        kind: 'copy',
        directory: '/backup',
        export_directory: null,
        running: null,
        ops_backup_at: null,
        last_run: null,
        last_probe: null,
      },
      scopes: [
        { ...scope, scope: 'sales', created: false, locked: true, lock_reason: 'not-created', version_count: null },
        { ...scope, scope: 'legal', created: true, locked: false, lock_reason: null, version_count: 0 },
      ],
    });
  });
});

describe('requests', () => {
  test('[OS17] that are not JSON as asked for are refused', async () => {
    const headers = { ...bearer, 'content-type': 'application/json' };
    const ask = (raw: string, more: Record<string, string> = {}) =>
      here.ask('POST /ops/scopes', undefined, { headers: { ...headers, ...more }, raw });
    expect((await ask('{')).body.error).toBe('bad-json');
    expect((await ask('[]')).body.error).toBe('validation-failed');
    expect((await ask('name=sales', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await ask('{"name":"sales"}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201);
    const big = await ask(JSON.stringify({ name: 'x'.repeat(256 * 1024) }));
    expect(big).toMatchObject({ status: 413, body: { error: 'payload-too-large' } });
  });

  test('[OS17] with keys that nobody knows, or that stand in the path, are refused', async () => {
    const { body } = await here.ask('POST /ops/scopes', { name: 'sales', force: true });
    expect(body).toMatchObject({ error: 'validation-failed', issues: [{ path: [], message: expect.any(String) }] });
    await here.ask('POST /ops/grants', PERSON);
    expect(await codeOf('POST /ops/grants/person:1/rename', { id: 'person:2', label: 'x' })).toBe(
      '400 validation-failed',
    );
    expect(await codeOf('POST /ops/grants/person:1/rename', {})).toBe('400 validation-failed');
  });

  test.each([
    'GET /',
    'GET /mcp',
    'GET /ops',
    'POST /ops/status',
    'DELETE /ops/grants',
    'POST /ops/backup/run',
    'GET /v1/status',
  ])('[OS18] %s is none', async line => {
    expect(await codeOf(line)).toBe('404 not-found');
  });

  test('[OS17] whose fault is ours show a request id and nothing else', async () => {
    here.ops.close();
    const answer = await here.ask('GET /ops/grants', undefined, { headers: { ...bearer, 'x-request-id': 'mine-1' } });
    expect(answer).toEqual({ status: 500, requestId: 'mine-1', body: { error: 'internal', request_id: 'mine-1' } });
    expect(here.lines.at(-1)).toContain('"request_id":"mine-1"');
  });
});
