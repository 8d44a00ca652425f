import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmed, meeting, proposal, proposed } from '../rules/world.ts';
import { SERVICE, world, type Answer, type World } from './world.ts';

const CALLERS = [
  'none',
  'garbage',
  'wrong tenant',
  'nobody',
  'disabled',
  'service',
  'reader',
  'proposer',
  'decider',
  'foreign',
  'anna',
] as const;
type CallerName = (typeof CALLERS)[number];
type Outcomes = Readonly<Record<CallerName, string>>;

const STRANGERS = { none: '401', garbage: '401', nobody: '401', disabled: '401' } as const;
const API = { ...STRANGERS, 'wrong tenant': '401', service: 'ok' } as const;
const MCP = { ...STRANGERS, 'wrong tenant': '403 forbidden', service: '403 channel-not-allowed' } as const;
/** On the combined endpoint refusals of the rules are the tool's. */
const COMBINED = {
  none: '401',
  garbage: '401',
  'wrong tenant': '403 forbidden',
  nobody: 'unauthorized',
  disabled: 'unauthorized',
  service: 'channel-not-allowed',
} as const;

const NO = 'channel-not-allowed';
const READ = { reader: 'ok', proposer: NO, decider: NO, foreign: 'scope-not-allowed', anna: 'ok' } as const;
const PROPOSE = { reader: NO, proposer: 'ok', decider: NO, foreign: 'scope-not-allowed', anna: 'ok' } as const;
/** Ops about the whole grant name no scope. */
const READ_GRANT = { ...READ, foreign: 'ok' } as const;
const ANYONE = { reader: 'ok', proposer: 'ok', decider: 'ok', foreign: 'ok', anna: 'ok' } as const;
type Rights = Omit<Outcomes, keyof typeof API>;

/** No credential of an agent or program decides, whoever it stands for. */
const NEVER: Outcomes = {
  ...STRANGERS,
  'wrong tenant': '401',
  service: '403 channel-not-allowed',
  reader: '401',
  proposer: '401',
  decider: '401',
  foreign: '401',
  anna: '401',
};
/** Whoever brings no credential at all is shown the way to sign in. */
const NEVER_SHOWN: Outcomes = { ...NEVER, none: '303', service: '403' };

interface Row {
  readonly tool?: object;
  readonly route?: { readonly method: string; readonly path: string; readonly body?: object };
  readonly rights?: Rights;
  /** Of ops that agents are never given. */
  readonly never?: Outcomes;
}

const text = { scopes: ['sales'], text: 'hook rails' };
const source = encodeURIComponent('mail:<delivery-1@example.com>');
const SEARCH = '00000000-0000-4000-8000-000000000000';
const said = { bundles: [], missing: ['rule/sales-0001'] };
const MATRIX: Readonly<Record<string, Row>> = {
  search_rules: { tool: text, route: { method: 'POST', path: '/v1/search', body: text }, rights: READ },
  read_rule: {
    tool: { ref: 'rule/sales-0001' },
    route: { method: 'GET', path: '/v1/rules/sales-0001' },
    rights: READ,
  },
  list_rules: { tool: { scope: 'sales' }, route: { method: 'GET', path: '/v1/rules?scope=sales' }, rights: READ },
  provenance: {
    tool: { ref: 'rule/sales-0001' },
    route: { method: 'GET', path: '/v1/rules/sales-0001/provenance' },
    rights: READ,
  },
  feedback: {
    tool: { search_id: SEARCH, ...said },
    route: { method: 'POST', path: `/v1/search/${SEARCH}/feedback`, body: said },
    rights: READ,
  },
  list_proposals: {
    tool: { scope: 'sales' },
    route: { method: 'GET', path: '/v1/proposals?scope=sales' },
    rights: READ,
  },
  propose_rule: {
    tool: proposal(),
    route: { method: 'POST', path: '/v1/proposals', body: proposal() },
    rights: PROPOSE,
  },
  scopes: { tool: {}, rights: ANYONE },
  status: { route: { method: 'GET', path: '/v1/status' }, rights: READ_GRANT },
  store_source: { route: { method: 'POST', path: '/v1/sources', body: meeting() }, rights: PROPOSE },
  read_source: { route: { method: 'GET', path: `/v1/sources/${source}?scope=sales` }, rights: PROPOSE },
  inbox: { route: { method: 'GET', path: '/approval' }, never: NEVER_SHOWN },
  recheck: { route: { method: 'GET', path: '/approval/recheck' }, never: NEVER_SHOWN },
  list_rejected: { route: { method: 'GET', path: '/v1/rejected?scope=sales' }, never: NEVER },
  export_scope: { route: { method: 'GET', path: '/v1/export/sales' }, never: NEVER },
  show_rule: { route: { method: 'GET', path: '/approval/rules/sales-0002' }, never: NEVER_SHOWN },
  decide: {
    route: { method: 'POST', path: '/v1/rules/sales-0002/decision', body: { decision: 'confirm', version: 1 } },
    never: NEVER,
  },
};

let w: World;
const tokens = {} as Record<CallerName, string | undefined>;

beforeAll(async () => {
  w = await world({
    async fill(rules) {
      await confirmed(rules);
      await proposed(rules);
    },
  });
  for (const name of CALLERS) tokens[name] = await w.tokenOf(name);
  tokens.none = undefined;
  tokens.garbage = 'not-a-token';
  tokens.service = SERVICE;
  tokens['wrong tenant'] = await w.tokenOf('anna', { tenant: 'elsewhere' });
});
afterAll(() => w.end());

/** Sources of others and searches that were never made count as allowed: who may ask is asked here. */
function outcomeOf({ status, json }: Answer): string {
  if (status === 401) return '401';
  if (status === 303) return '303';
  const result = json?.result as { isError: boolean; structuredContent: Record<string, unknown> } | undefined;
  if (result) {
    const refused = result.isError ? String(result.structuredContent['error']) : 'ok';
    return refused === 'not-found' ? 'ok' : refused;
  }
  const code = String(json?.error ?? '');
  if (['not-found', 'source-conflict', ''].includes(code) && status !== 403) return 'ok';
  return code === 'scope-not-allowed' ? code : `${status} ${code}`.trim();
}

/** Where a refusal has a status of its own. */
const onApi = (rights: Rights): Outcomes => {
  const told = Object.entries(rights).map(([name, outcome]) => [name, outcome === NO ? `403 ${NO}` : outcome]);
  return { ...API, ...(Object.fromEntries(told) as Rights) };
};

const TOOLS = Object.entries(MATRIX).flatMap(([op, { tool, rights }]) =>
  tool && rights ? CALLERS.map(name => [op, name, tool, rights] as const) : [],
);
const ROUTES = Object.values(MATRIX).flatMap(({ route, rights, never }) => {
  if (!route) return [];
  const expected = never ?? onApi(rights!);
  return CALLERS.map(name => [route.method, route.path, name, expected[name], route.body] as const);
});

describe('who may call what', () => {
  test.each(TOOLS)('[MX1] the tool %s as %s', async (op, name, args, rights) => {
    expect(outcomeOf(await w.tool(tokens[name], op, args))).toBe({ ...MCP, ...rights }[name]);
    expect(outcomeOf(await w.tool(tokens[name], op, args, '/mcp'))).toBe({ ...COMBINED, ...rights }[name]);
  });

  test.each(ROUTES)('[MX1] %s %s as %s: %s', async (method, path, name, expected, body) => {
    expect(outcomeOf(await w.ask(method, path, { token: tokens[name], body }))).toBe(expected);
  });

  test('[MX1] nothing was decided by any of them', async () => {
    const { json } = await w.ask('GET', '/v1/rules/sales-0002', { token: tokens.anna });
    expect([json.head.status, json.decisions]).toEqual(['proposed', []]);
  });

  test('[MX2] the matrix names every op of the rules surface', async () => {
    const root = join(import.meta.dirname, '../../src/rules');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.op.ts'));
    const modules = await Promise.all(files.map(path => import(join(root, path)) as Promise<Record<string, unknown>>));
    const ops = modules
      .flatMap(module => Object.values(module))
      .filter(
        (value): value is { name: string; surface: string } =>
          typeof value === 'object' && value !== null && 'surface' in value && 'name' in value,
      );
    const names = new Set(ops.filter(({ surface }) => surface !== 'operator').map(({ name }) => name));
    expect(names.size).toBeGreaterThan(0);
    expect(Object.keys(MATRIX).toSorted()).toEqual([...names].toSorted());
  });

  test('[MX2] every tool and every route is in the matrix', async () => {
    const listed = await w.ask('POST', '/mcp/rules', {
      token: tokens.anna,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
    const tools = (listed.json.result.tools as { name: string }[]).map(({ name }) => name);
    const inMatrix = Object.entries(MATRIX).filter(([, { tool }]) => tool);
    expect(inMatrix.map(([name]) => name).toSorted()).toEqual(tools.toSorted());
    const { paths } = (await w.ask('GET', '/openapi.json')).json as { paths: Record<string, Record<string, object>> };
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    );
    const rows = Object.values(MATRIX).flatMap(({ route, rights }) => (route && rights ? [route] : []));
    const covered = rows.map(
      ({ method, path }) =>
        `${method} ${path.split('?')[0]!.replace(/\/(sales-0001|mail.*|0{8}-[^/]+)(?=\/|$)/, '/{id}')}`,
    );
    expect(covered.toSorted()).toEqual(routes.filter(route => route.includes('/v1')).toSorted());
  });
});
