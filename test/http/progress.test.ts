import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { progressOf } from '../../src/http/progress.ts';
import { skillPage, world, type World } from '../world.ts';

const PAGES = 120;
let w: World;
let token: string;
beforeAll(async () => {
  w = await world();
  token = await w.issuer.token({ sub: 'root', roles: ['escurel:admin'] });
  const ids = Array.from({ length: PAGES }, (_, no) => `skill-${no}`);
  await w.put(Object.fromEntries(ids.map(id => [`markdown/skills/${id}.md`, skillPage(id)])));
});
afterAll(() => w.end());

const BOTH = 'application/json, text/event-stream';
/** The messages of one call of `rebuild`, in their order, and how they came. */
async function told(accept: string, meta: object, name = 'rebuild', args: object = {}) {
  const answer = await fetch(`${w.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name, arguments: args, _meta: meta },
    }),
  });
  const text = await answer.text();
  const type = answer.headers.get('content-type');
  const messages =
    type === 'text/event-stream'
      ? text
          .trim()
          .split('\n\n')
          .map(event => JSON.parse(event.replace(/^event: message\ndata: /, '')))
      : [JSON.parse(text)];
  return { type, messages, id: answer.headers.get('x-request-id') };
}

test('[HT58] a call that asks for it is told how far it is, and answered at the end of the stream', async () => {
  const { type, messages, id } = await told(BOTH, { progressToken: 'here' });
  expect([type, typeof id]).toEqual(['text/event-stream', 'string']);
  const answer = messages.pop();
  expect(answer).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    result: { structuredContent: { current_page: '' }, isError: false },
  });
  expect(messages.length).toBeGreaterThan(0);
  for (const { jsonrpc, id: none, method, params } of messages) {
    expect([jsonrpc, none, method, params.progressToken]).toEqual(['2.0', undefined, 'notifications/progress', 'here']);
    expect(params.total).toBe(PAGES + 1);
  }
  const steps = messages.map(({ params }) => params.progress);
  expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
});

test('[HT58] an import tells of itself as a rebuild does', async () => {
  const { tarball_b64 } = await w.admin.call('tenant_export', {});
  const { type, messages } = await told(BOTH, { progressToken: 5 }, 'tenant_import', { tarball_b64 });
  expect(type).toBe('text/event-stream');
  expect(messages[0]).toMatchObject({
    method: 'notifications/progress',
    params: { progressToken: 5, total: PAGES + 1 },
  });
  expect(messages.at(-1).result.structuredContent.bytes_imported).toBeGreaterThan(0);
});

test.each([
  ['without a token', BOTH, {}, 'rebuild'],
  ['with a token that is none', BOTH, { progressToken: true }, 'rebuild'],
  ['where no stream is taken', 'application/json', { progressToken: 1 }, 'rebuild'],
  ['of a tool that is done at once', BOTH, { progressToken: 1 }, 'list_skills'],
])('[HT58] a call %s is answered with JSON', async (_, accept, meta, name) => {
  const { type, messages } = await told(accept, meta, name);
  expect(type).toBe('application/json');
  expect(messages[0].result.isError).toBe(false);
});

test('[HT58] the official client hears of it and gets its result', async () => {
  const client = new Client({ name: 'test', version: '0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${w.url}/mcp`), { requestInit }));
  const heard: number[] = [];
  const result = await client.callTool(
    { name: 'rebuild', arguments: {} },
    { onprogress: ({ progress }) => heard.push(progress) },
  );
  await client.close();
  expect(result.structuredContent).toMatchObject({ done: PAGES + 1 });
  expect(heard.length).toBeGreaterThan(0);
});

test('[HT58] a caller who leaves in the middle stops nothing', async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${w.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, accept: BOTH },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'rebuild', _meta: { progressToken: 1 } },
    }),
    signal: leaving.signal,
  });
  leaving.abort();
  await expect(answer.text()).rejects.toThrow(/abort/i);
  expect(await w.admin.call('rebuild')).toMatchObject({ done: PAGES + 1 });
});

test('[HT58] it is told 25 times a second at the most, and never twice the same', () => {
  const messages: string[] = [];
  const tell = progressOf({ _meta: { progressToken: 1 } }, message => messages.push(message))!;
  for (let done = 0; done < 10_000; done += 1) tell(done, 20_000);
  tell(0, 20_000);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.length).toBeLessThan(1000);
});
