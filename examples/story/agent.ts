import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export type Payload = { readonly [key: string]: unknown };

export interface Agent {
  readonly client: Client;
  /** The payload of a call that succeeds. */
  call(name: string, args: Record<string, unknown>): Promise<Payload>;
  /** The payload of a call that is refused. */
  refused(name: string, args: Record<string, unknown>): Promise<Payload>;
}

/** An agent, by the official client. */
export async function connect({ url, token }: { readonly url: string; readonly token: string }): Promise<Agent> {
  const client = new Client({ name: 'story', version: '1.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  const send = async (name: string, args: Record<string, unknown>) => {
    const answer = await client.callTool({ name, arguments: args });
    return { payload: answer.structuredContent as Payload, isError: answer.isError === true };
  };
  return {
    client,
    async call(name, args) {
      const { payload, isError } = await send(name, args);
      must(!isError, `${name} is answered: ${JSON.stringify(payload)}`);
      return payload;
    },
    async refused(name, args) {
      const { payload, isError } = await send(name, args);
      must(isError, `${name} is refused`);
      return payload;
    },
  };
}

export function must(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`the story broke off: ${what}`);
}
