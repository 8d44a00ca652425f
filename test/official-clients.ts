import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

/** The part of every official client that tests use. */
export interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Called>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

const me = { name: 'test', version: '0' };
const init = (token: string, fetcher: typeof fetch) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
  fetch: fetcher,
});

/** Connects a client 2.x. */
export const second =
  (options: ConstructorParameters<typeof Client>[1]) =>
  async (url: URL, token: string, fetcher: typeof fetch = fetch): Promise<AnyClient> => {
    const client = new Client(me, options);
    await client.connect(new StreamableHTTPClientTransport(url, init(token, fetcher)));
    return client as unknown as AnyClient;
  };

/** Connects a client 1.x. */
export const first = async (url: URL, token: string, fetcher: typeof fetch = fetch): Promise<AnyClient> => {
  const client = new Client1(me);
  // The transport of 1.x is not written for exact optional properties.
  await client.connect(new Transport1(url, init(token, fetcher)) as unknown as Parameters<Client1['connect']>[0]);
  return client as unknown as AnyClient;
};
