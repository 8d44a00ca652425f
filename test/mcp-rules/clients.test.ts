import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmed, proposal } from '../rules/world.ts';
import { world, type World } from '../v1/world.ts';

/** The part of every client that the tests use. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<{
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: unknown;
  }>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

const me = { name: 'test', version: '0' };
const init = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

const second =
  (options: ConstructorParameters<typeof Client>[1]) =>
  async (url: URL, token: string): Promise<AnyClient> => {
    const client = new Client(me, options);
    await client.connect(new StreamableHTTPClientTransport(url, init(token)));
    return client as unknown as AnyClient;
  };
const first = async (url: URL, token: string): Promise<AnyClient> => {
  const client = new Client1(me);
  // The transport of 1.x is not written for exact optional properties.
  await client.connect(new Transport1(url, init(token)) as unknown as Parameters<Client1['connect']>[0]);
  return client as unknown as AnyClient;
};

const CLIENTS = [
  ['2.x with a handshake', second({})],
  ['2.x pinned to 2026-07-28', second({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
  ['1.x', first],
] as const;

const CALLS: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['search_rules', { scopes: ['sales'], text: 'hook rails' }],
  ['read_rule', { ref: 'rule/sales-0001' }],
  ['list_rules', { scope: 'sales' }],
  ['provenance', { ref: 'rule/sales-0001' }],
  ['propose_rule', proposal()],
  ['list_proposals', { scope: 'sales' }],
  ['scopes', {}],
];

describe.each(CLIENTS)('the official client %s', (_name, connect) => {
  describe.each(['/mcp/rules', '/mcp'])('at %s', path => {
    let w: World;
    let client: AnyClient;
    beforeAll(async () => {
      w = await world({ fill: async rules => void (await confirmed(rules)) });
      client = await connect(new URL(`${w.url}${path}`), await w.tokenOf('anna'));
    });
    afterAll(async () => {
      await client.close();
      await w.end();
    });

    test('[MR9] knows the server and is told how to use it', () => {
      expect(client.getServerVersion()?.name).toBe(path === '/mcp' ? 'cairn' : 'groundnote');
      expect(client.getInstructions()).toContain('approval_url');
    });

    test('[MR9] lists every tool', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(CALLS.map(([name]) => name)));
    });

    test.each(CALLS)('[MR9] calls %s', async (name, args) => {
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
      expect([isError, typeof structuredContent]).toEqual([false, 'object']);
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining('Blocks that open and close') }]);
    });

    test('[MR9] hears refusals as results', async () => {
      const refused = await client.callTool({ name: 'read_rule', arguments: { ref: 'rule/sales-0099' } });
      expect(refused).toMatchObject({ isError: true, structuredContent: { error: 'not-found' } });
      const wrong = await client.callTool({ name: 'read_rule', arguments: { reff: 'x' } });
      expect(wrong).toMatchObject({ isError: true, structuredContent: { nearest: 'ref' } });
    });
  });
});
