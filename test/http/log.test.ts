import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, AGENT, as, rpc, world, type World } from './world.ts';

describe('the log', () => {
  let w: World;
  beforeAll(async () => void (w = await world()));
  afterAll(() => w.stop(0));

  const linesOf = async (act: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
    const before = w.logs.length;
    await act();
    return w.logs.slice(before);
  };

  test('[HT48] a call leaves one line with all of its fields', async () => {
    const lines = await linesOf(() => w.call('noted', {}, { 'x-request-id': ' trace-me ' }));
    expect(lines).toEqual([
      {
        ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: 'info',
        msg: 'tool.completed',
        app: 'escurel',
        env: 'test',
        version: '1.2.3',
        tenant: 'acme',
        tool: 'noted',
        transport: 'mcp_http',
        subject: 'ada',
        status: 'ok',
        duration_ms: expect.any(Number),
        request_id: 'trace-me',
        trace_id: 'trace-me',
      },
    ]);
  });

  test.each([
    ['write', { ok: false }, { level: 'info', status: 'rejected' }],
    ['fail', { code: 'not_found' }, { level: 'info', status: 'error', code: 'not_found' }],
    ['secret_admin', {}, { level: 'warn', status: 'error', code: 'admin_required' }],
    ['fail', {}, { level: 'error', status: 'error', code: 'internal', error: 'TypeError' }],
    ['no_such_tool', {}, { tool: 'no_such_tool', status: 'error', code: 'method_not_found' }],
    ['put', { ok: 'true' }, { tool: 'write', status: 'ok', coerced_arguments: ['ok'] }],
  ])('[HT48] %s %j is told as it ended', async (name, args, fields) => {
    const lines = await linesOf(() => w.call(name, args));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ msg: 'tool.completed', ...fields });
  });

  test('[HT48] a fault is told by its place and never by its text', async () => {
    const [line] = await linesOf(() => w.call('fail'));
    expect(line?.['stack']).toEqual(expect.arrayContaining([expect.stringMatching(/^at .*ops\.ts/)]));
    expect(JSON.stringify(line)).not.toContain('hunter2');
  });

  test('[HT48] no line holds what was sent or who proved it', async () => {
    const lines = await linesOf(async () => {
      await w.call('echo', { text: 'body-of-a-page', count: 'not-a-number-xyzzy' });
      await w.call('echo', { text: 'body-of-a-page' }, as(ADMIN));
      await w.post('body-of-a-page');
      await w.post(rpc('ping'), as('stolen-token'));
      await w.post('body-of-a-page', { 'content-type': 'text/plain' });
    });
    const text = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThan(3);
    for (const secret of ['body-of-a-page', 'xyzzy', 'stolen-token', AGENT, ADMIN]) expect(text).not.toContain(secret);
  });

  test('[HT48] refusals before any call are told apart', async () => {
    const lines = await linesOf(async () => {
      await w.post(rpc('ping'), { ...as('wrong'), 'x-request-id': 'r1' });
      await w.post(rpc('ping'), { origin: 'https://evil.example.com', 'x-request-id': 'r2' });
      w.left.queries = 0;
      await w.call('noted');
    });
    expect(lines).toMatchObject([
      { msg: 'mcp.refused', code: 'unauthorized', status: 401, request_id: 'r1' },
      { msg: 'request.refused', code: 'csrf-failed', status: 403, request_id: 'r2' },
    ]);
  });
});
