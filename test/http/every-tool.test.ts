import { afterAll, beforeAll, expect, test } from 'vitest';
import { world, type World } from '../world.ts';
import { EVERY_TOOL, readied } from './every-tool.ts';
import { first, second } from '../official-clients.ts';

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
