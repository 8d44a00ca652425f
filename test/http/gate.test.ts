import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, as, openVerifier, rpc, stateless, world, type World } from './world.ts';

const call = (name: string): object => rpc('tools/call', { name });

describe('the gate in front of every op', () => {
  let w: World;
  beforeEach(async () => void (w = await world()));
  afterEach(() => w.stop(0));

  test('[HT24] an admin tool is refused to agents and open to admins', async () => {
    const { status, json } = await w.call('secret_admin');
    expect(status).toBe(200);
    expect(json.error).toMatchObject({ code: -32001, data: { code: 'admin_required', retryable: false } });
    expect(Object.keys(json.error.data)).toEqual(['code', 'retryable']);
    expect((await w.call('secret_admin', {}, as(ADMIN))).json.result.structuredContent).toEqual({ ok: true });
  });

  test('[HT24] the role is asked for before the arguments are looked at', async () => {
    expect((await w.call('secret_admin', { tenant_id: 5 })).json.error.code).toBe(-32001);
  });

  test.each(['initialize', 'ping', 'tools/list', 'tools/call', 'no/method'])(
    '[HT25] a suspended tenant gets 403 for %s',
    async method => {
      w.tenant.status = 'suspended';
      const { status, json } = await w.post(rpc(method, { name: 'noted' }, 'id'));
      expect([status, json.id]).toEqual([403, 'id']);
      expect(json.error).toMatchObject({ code: -32003, data: { code: 'tenant_suspended', retryable: false } });
    },
  );

  test('[HT25] a notification of a suspended tenant is refused as well', async () => {
    w.tenant.status = 'suspended';
    expect((await w.post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(403);
  });

  test('[HT25] a suspended call is debited first, and admins pass', async () => {
    w.tenant.status = 'suspended';
    const before = w.left.queries;
    await w.call('noted');
    expect(before - w.left.queries).toBe(1);
    expect((await w.call('noted', {}, as(ADMIN))).status).toBe(200);
    expect((await w.post(rpc('tools/list'), as(ADMIN))).status).toBe(200);
    w.left.queries = 0;
    expect((await w.call('noted')).status).toBe(429);
  });

  test('[HT26] an exhausted bucket says for how long', async () => {
    w.left.queries = 0;
    const { status, headers, json } = await w.post(rpc('tools/call', { name: 'noted' }, 'q'));
    expect(status).toBe(429);
    expect([headers.get('retry-after-ms'), headers.get('retry-after')]).toEqual(['100', '1']);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 'q',
      error: {
        code: -32000,
        message: expect.any(String),
        data: { code: 'quota_exhausted', retryable: true, dimension: 'queries', retry_after_ms: 100 },
      },
    });
  });

  test('[HT26] the buckets are independent', async () => {
    w.left.writes = 0;
    expect((await w.call('noted')).status).toBe(200);
    expect((await w.call('write')).json.error.data.dimension).toBe('writes');
    Object.assign(w.left, { queries: 0, writes: 1 });
    expect((await w.call('write')).status).toBe(200);
    expect((await w.call('noted')).status).toBe(429);
  });

  test('[HT26] a batch shares one status only where its answers do', async () => {
    w.left.queries = 1;
    expect((await w.post([call('noted'), call('noted')])).status).toBe(200);
    const { status, headers, json } = await w.post([call('noted'), call('noted')]);
    expect([status, headers.get('retry-after-ms'), json.length]).toEqual([429, '100', 2]);
    expect((await w.post([call('noted'), rpc('ping')])).status).toBe(200);
  });

  /** What one request took from each bucket. */
  const spent = async (body: unknown, headers = {}): Promise<number[]> => {
    const { queries, writes } = w.left;
    await w.post(body, headers);
    return [queries - w.left.queries, writes - w.left.writes];
  };

  test('[HT27] each op debits its own bucket, and much debits nothing', async () => {
    const discover = stateless('server/discover');
    expect(await spent(call('noted'))).toEqual([1, 0]);
    expect(await spent(call('write'))).toEqual([0, 1]);
    expect(await spent(call('put'))).toEqual([0, 1]);
    expect(await spent(call('no_such_tool'))).toEqual([1, 0]);
    expect(await spent(call('noted'), as(ADMIN))).toEqual([1, 0]);
    expect(await spent(call('secret_admin'), as(ADMIN))).toEqual([0, 0]);
    expect(await spent(call('secret_admin'))).toEqual([0, 0]);
    expect(await spent(rpc('initialize', {}))).toEqual([0, 0]);
    expect(await spent(rpc('ping'))).toEqual([0, 0]);
    expect(await spent(rpc('tools/list'))).toEqual([0, 0]);
    expect(await spent({ jsonrpc: '2.0', method: 'notifications/x' })).toEqual([0, 0]);
    expect(await spent(discover.body, discover.headers)).toEqual([0, 0]);
    expect(await spent(call('noted'), as('wrong'))).toEqual([0, 0]);
  });

  test('[HT27] an open gateway meters nobody', async () => {
    const open = await world({ verifier: openVerifier });
    Object.assign(open.left, { queries: 0, writes: 0 });
    open.tenant.status = 'suspended';
    expect((await open.call('noted')).status).toBe(200);
    expect((await open.call('secret_admin')).json.result.isError).toBe(false);
    expect(open.left.queries).toBe(0);
    await open.stop(0);
  });

  test('[HT16] a store that fails is a fault of ours, told to the log alone', async () => {
    const broken = await world({
      tenants: {
        suspended: () => {
          throw new Error('disk of hunter2 gone');
        },
      },
    });
    for (const body of [rpc('tools/call', { name: 'noted' }), rpc('ping')])
      expect((await broken.post(body)).json.error).toEqual({ code: -32603, message: 'internal error' });
    expect(broken.logs.filter(line => line['level'] === 'error')).toHaveLength(2);
    expect(JSON.stringify(broken.logs)).not.toContain('hunter2');
    await broken.stop(0);
  });
});
