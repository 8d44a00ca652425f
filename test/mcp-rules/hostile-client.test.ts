import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmed, proposal, proposed } from '../rules/world.ts';
import { counterexample } from '../rules/counterexample.ts';
import { escapes } from '../security/hostile.ts';
import { rpc, world, type World } from '../v1/world.ts';

let w: World;
let anna: string;
beforeAll(async () => {
  w = await world({
    async fill(rules) {
      await confirmed(rules);
      await proposed(rules);
    },
  });
  anna = await w.tokenOf('anna');
});
afterAll(() => w.end());

const status = async (): Promise<unknown> => {
  const { json } = await w.ask('GET', '/v1/status', { token: anna });
  return json.scopes.map((one: { counts: unknown }) => one.counts);
};
const errorOf = async (name: string, args: unknown, path?: string): Promise<unknown> => {
  const { status: http, json } = await w.tool(anna, name, args, path);
  return http === 200 ? (json.result?.structuredContent?.error ?? json.error?.code ?? 'ok') : http;
};

describe('a client that is wrong or hostile', () => {
  test.each(
    [
      'confirm',
      'confirm_rule',
      'rule_confirm',
      'reject_rule',
      'revoke',
      'review_rule',
      'decide',
      'decide_rule',
      'approve',
    ]
      .concat(['approve_rule', 'archive', 'revert', 'inbox', 'show_rule', 'list_rejected', 'export_scope', 'status'])
      .concat(['store_source', 'Search_Rules', 'search_rules ', '__proto__', 'constructor', '']),
  )('[MR8] finds no tool %j', async name => {
    const before = await status();
    for (const path of ['/mcp/rules', '/mcp']) {
      const args = {
        ref: 'rule/sales-0002',
        id: 'sales-0002',
        body: { decision: 'confirm', version: 1 },
        scope: 'sales',
      };
      expect((await w.tool(anna, name, args, path)).json.error.code).toBe(-32601);
    }
    expect(await status()).toEqual(before);
  });

  test.each([
    ['search_rules', { scopes: ['sales'], text: 'x' }],
    ['list_rules', { scope: 'sales' }],
    ['list_proposals', { scope: 'sales' }],
  ] as const)('[MR6] %s takes no limit beyond its own', async (name, args) => {
    for (const limit of [0, -1, 1.5, 201, 1e9, 1e308, '1e9', '-1', 'many', [5], {}, true]) {
      expect([limit, await errorOf(name, { ...args, limit })]).toEqual([limit, 'validation-failed']);
    }
    expect(await errorOf(name, { ...args, limit: '7' })).toBe('ok');
  });

  test('[MR5] scopes that are not its own, in every parameter, are refused before anything is looked at', async () => {
    for (const scope of ['never-heard-of', 'unmade']) {
      for (const [name, args] of [
        ['search_rules', { scopes: [scope], text: 'x' }],
        ['search_rules', { scopes: ['sales', scope], cross_scope: true, text: 'x' }],
        ['read_rule', { ref: `rule/${scope}-0001` }],
        ['provenance', { ref: `rule/${scope}-0001@1` }],
        ['list_rules', { scope }],
        ['list_rules', { scope: 'sales', after: `${scope}-0001` }],
        ['list_proposals', { scope }],
        ['list_proposals', { scope: 'sales', after: `${scope}-0001` }],
        ['propose_rule', proposal({ scope })],
        ['propose_rule', proposal({ supersedes: `${scope}-0001` })],
        ['feedback', { search_id: 'x', bundles: [], missing: [`rule/${scope}-0001`] }],
        ['feedback', { search_id: 'x', bundles: [{ ref: `rule/${scope}-0001@1`, verdict: 'relevant' }], missing: [] }],
      ] as const)
        expect([name, args, await errorOf(name, args)]).toEqual([name, args, 'scope-not-allowed']);
    }
  });

  test('[MR6] names that are none are invalid', async () => {
    for (const scope of ['../sales', 'Sales', 's', 'sales\0', 'sales/..', 'ſales', 'a'.repeat(41), '', null, 7, {}])
      expect([scope, await errorOf('search_rules', { scopes: [scope], text: 'x' })]).toEqual([
        scope,
        'validation-failed',
      ]);
    for (const ref of [
      'sales-0001',
      'rule/sales-1',
      'rule/sales-0001@0',
      'rule/sales-0001@1@2',
      'rule/../sales-0001',
      7,
    ])
      expect([ref, await errorOf('read_rule', { ref })]).toEqual([ref, 'validation-failed']);
  });

  test('[MR6, MR7] arguments as text are read once and no deeper than declared', async () => {
    expect(await errorOf('search_rules', '{"scopes": "[\\"sales\\"]", "terms": "[\\"hook\\"]"}')).toBe('ok');
    expect(await errorOf('search_rules', { scopes: '["sales", {"a": 1}]', text: 'x' })).toBe('validation-failed');
    expect(await errorOf('search_rules', { scopes: 'sales', text: 'x' })).toBe('validation-failed');
    expect(await errorOf('search_rules', { scopes: ['sales'], text: 'x', cross_scope: 'yes' })).toBe(
      'validation-failed',
    );
    expect(await errorOf('feedback', { search_id: 'x', bundles: '[]', missing: '["rule/sales-0001"]' })).toBe(
      'not-found',
    );
    let deep: unknown = 'x';
    for (let at = 0; at < 2000; at++) deep = [deep];
    expect(await errorOf('search_rules', { scopes: deep, text: 'x' })).toBe('validation-failed');
  });

  test('[MR5] whatever is sent, the answer is a result or a refusal of the table, never a fault of ours', async () => {
    const before = await status();
    const name = fc.constantFrom(
      'search_rules',
      'read_rule',
      'list_rules',
      'provenance',
      'list_proposals',
      'feedback',
      'scopes',
    );
    const key = fc.constantFrom(
      'scope',
      'scopes',
      'ref',
      'text',
      'terms',
      'limit',
      'after',
      'as_of',
      'relation',
      'search_id',
    );
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('sales', ['sales'], 'rule/sales-0001', '2026-02-30', '2026-03-12', {
        kind: 'product',
        name: 'x',
      }),
      fc.string({ unit: 'binary', maxLength: 40 }),
    );
    const args = fc.dictionary(key, value, { maxKeys: 5 });
    const property = fc.asyncProperty(name, args, async (tool, given) => {
      const { status: http, json } = await w.ask('POST', '/mcp/rules', {
        token: anna,
        body: rpc('tools/call', { name: tool, arguments: given }),
      });
      if (http !== 200) return false;
      if (json.error) return json.error.code !== -32603;
      const { isError, structuredContent, content } = json.result;
      return isError ? structuredContent.error !== 'internal' : escapes(content[0].text).length === 0;
    });
    expect(await counterexample(property, 150)).toBeUndefined();
    expect(await status()).toEqual(before);
  });
});
