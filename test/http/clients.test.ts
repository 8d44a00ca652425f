import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENT, ADMIN, world, type World } from './world.ts';
import { first, second, type AnyClient } from '../official-clients.ts';

const CLIENTS = [
  ['2.x with a handshake', second({}), '2025-11-25'],
  ['2.x that finds out', second({ versionNegotiation: { mode: 'auto' } }), '2026-07-28'],
  ['2.x pinned to 2026-07-28', second({ versionNegotiation: { mode: { pin: '2026-07-28' } } }), '2026-07-28'],
  ['1.x', first, '2025-11-25'],
] as const;

describe.each(CLIENTS)('the official client %s', (_name, connect, revision) => {
  let w: World;
  let client: AnyClient;
  beforeAll(async () => {
    w = await world();
    client = await connect(new URL(`${w.url}/mcp`), ADMIN);
  });
  afterAll(async () => {
    await client.close();
    await w.stop(0);
  });

  test('[HT54] knows the server and lists every tool', async () => {
    expect(client.getServerVersion()?.name).toBe('cairn');
    const { tools } = await client.listTools();
    expect(tools.map(tool => tool.name)).toEqual(['echo', 'write', 'report', 'fail', 'noted', 'wait', 'secret_admin']);
  });

  test('[HT54, HT22] calls tools, and finds their results as published', async () => {
    const { tools } = await client.listTools();
    expect(tools.filter(tool => tool.outputSchema).map(tool => tool.name)).toEqual(['echo', 'write']);
    const args = {
      text: 'Grüße 🌍',
      filter: { a: [null, { b: 1 }] },
      nested: { depth: 1, name: 'n' },
      maybe: null,
      any: [1],
    };
    const echo = await client.callTool({ name: 'echo', arguments: args });
    expect(echo).toMatchObject({ isError: false, structuredContent: { given: args } });
    expect(echo.content).toEqual([{ type: 'text', text: JSON.stringify({ given: args }) }]);
    const refused = await client.callTool({ name: 'write', arguments: { ok: false } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { ok: false, issues: ['no'] } });
    expect(await client.callTool({ name: 'secret_admin' })).toMatchObject({ structuredContent: { ok: true } });
  });

  test('[HT54] hears our codes', async () => {
    await expect(client.callTool({ name: 'fail', arguments: { code: 'failed_precondition' } })).rejects.toMatchObject({
      code: -32002,
      data: { code: 'failed_precondition', retryable: false },
    });
    await expect(client.callTool({ name: 'echo', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32601 });
  });

  test('[HT54] goes on after the server was started anew', async () => {
    const { port } = w.address;
    await w.stop(0);
    w = await world({ listen: { host: '127.0.0.1', port } });
    const again = await client.callTool({ name: 'noted' }).catch(() => client.callTool({ name: 'noted' }));
    expect(again.isError).toBe(false);
  });

  test('[HT54] speaks the revision it should', async () => {
    const sent: (string | null)[] = [];
    const other = await connect(new URL(`${w.url}/mcp/pages`), AGENT, (input, options) => {
      sent.push(new Headers(options?.headers).get('mcp-protocol-version'));
      return fetch(input, options);
    });
    sent.length = 0;
    await other.listTools();
    await other.close();
    expect(sent).toEqual([revision]);
  });
});
