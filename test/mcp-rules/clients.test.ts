import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmed, proposal } from '../rules/world.ts';
import { world, type World } from '../v1/world.ts';
import { first, second, type AnyClient } from '../official-clients.ts';

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
