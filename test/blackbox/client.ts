/** What a plain HTTP client sees of an answer; `json` is undefined when the body is none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- answers are looked at as they come
  readonly json: any;
}

export interface Client {
  /** Sends these bytes, or this value as JSON. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** One JSON-RPC request with id 1. */
  rpc(method: string, params?: unknown): Promise<Answer>;
  /** One tools/call; `json` is the JSON-RPC answer. */
  call(tool: string, args?: object): Promise<Answer>;
  /** The payload of a tools/call that must succeed at the JSON-RPC level. */
  // oxlint-disable-next-line no-explicit-any -- payloads are looked at as they come
  ok(tool: string, args?: object): Promise<any>;
  /** The JSON-RPC error of a tools/call that must fail with HTTP 200. */
  // oxlint-disable-next-line no-explicit-any -- errors are looked at as they come
  fails(tool: string, args?: object): Promise<any>;
}

/** A client of one MCP endpoint, with or without a bearer. */
export function client(origin: string, token?: string, path = '/mcp/pages'): Client {
  const auth: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const post: Client['post'] = (body, headers = {}) =>
    request(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...auth, ...headers },
      body:
        typeof body === 'string' || body instanceof Uint8Array
          ? (body as NonNullable<RequestInit['body']>)
          : JSON.stringify(body),
    });
  const rpc: Client['rpc'] = (method, params) => post({ jsonrpc: '2.0', id: 1, method, params });
  const call: Client['call'] = (name, args = {}) => rpc('tools/call', { name, arguments: args });
  return {
    post,
    rpc,
    call,
    async ok(tool, args) {
      const { json, text } = await call(tool, args);
      if (!json?.result) throw new Error(`${tool} ${JSON.stringify(args)?.slice(0, 300)} → ${text.slice(0, 1000)}`);
      return json.result.structuredContent;
    },
    async fails(tool, args) {
      const { json, text, status } = await call(tool, args);
      if (status !== 200 || !json?.error) throw new Error(`${tool} was not refused: ${status} ${text.slice(0, 1000)}`);
      return json.error;
    },
  };
}

/** Any HTTP request, its body read. */
export async function request(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
