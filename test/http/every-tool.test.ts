import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { world, type World } from '../world.ts';
import { EVERY_TOOL, readied } from './every-tool.ts';

/** The part of every client that the test uses. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<{
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: unknown;
  }>;
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

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

test.each([
  ['2.x with a handshake', second({})],
  ['2.x pinned to 2026-07-28', second({ versionNegotiation: { mode: { pin: '2026-07-28' } } })],
  ['1.x', first],
] as const)('[HT54] the official client %s lists and calls every tool of the pages', async (_name, connect) => {
  const client = await connect(new URL(`${w.url}/mcp/pages`), await readied(w));
  // Clients hold results against the schemas that they were shown.
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...new Set(EVERY_TOOL.map(([name]) => name))].toSorted());
  for (const [name, args] of EVERY_TOOL) {
    const answer = await client.callTool({ name, arguments: args });
    expect([name, answer.isError, answer.content]).toEqual([
      name,
      false,
      [{ type: 'text', text: JSON.stringify(answer.structuredContent) }],
    ]);
  }
  await client.close();
});
