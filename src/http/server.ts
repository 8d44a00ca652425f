import type { RequestListener } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ApiVerifier, TenantGate, Verifier } from '../auth/ports.ts';
import type { Log } from '../kernel/log.ts';
import type { BoundOp, Surface } from '../kernel/op.ts';
import type { Principal } from '../kernel/principal.ts';
import { registry } from '../kernel/registry.ts';
import type { AccessRules } from './access.ts';
import { createBind } from './bind.ts';
import type { RecordCall } from './call-record.ts';
import { frontDoor } from './front-door.ts';
import { listen, type Address, type ListenerLimits } from './listener.ts';
import { mcpHttp, type McpHttp } from './mcp-http.ts';
import { mcpServer } from './mcp.ts';
import type { Metrics } from './metrics.ts';
import type { Probe, Quotas, RulesAccess, Site } from './ports.ts';
import { addResourceMetadata } from './resource-metadata.ts';
import { metricsRoutes, routes } from './routes.ts';
import { challengeOf } from './rule-errors.ts';
import { v1Routes } from './v1/routes.ts';

export interface HttpOptions {
  /** Main listener; port 0 takes a free one. */
  readonly listen: Address;
  /** Where `/metrics` is: absent on the main port, an address only there, `off` nowhere. */
  readonly metricsListen?: Address | 'off';
  /** Names and origins beside loopback. Refuses to start on a URL that is none. */
  readonly access?: AccessRules;
  /** Every op, dependencies given. Which endpoint carries it goes by its surface. */
  readonly ops: readonly BoundOp[];
  /** The rules surface beside its ops; without it nobody sees or reaches any of them. */
  readonly rules?: RulesHttp;
  /** Issuers whose tokens are taken, for clients that look for a way to sign in. */
  readonly authorizationServers?: readonly string[];
  /** Who calls. On an open gateway it answers the anonymous admin. */
  readonly verifier: Verifier;
  /** Read on each call of a caller who is no admin. */
  readonly tenants: TenantGate;
  readonly quotas: Quotas;
  /** What `/readyz` asks: lane_store, indexer, embedder, index_snapshot. */
  readonly probes: Readonly<Record<string, Probe>>;
  readonly metrics: Metrics;
  readonly record: RecordCall;
  /** Static files at `/`, for whatever no route answers (N008). */
  readonly site?: Site | undefined;
  /** Whether results about pages reach a model only in frames. */
  readonly framePages?: boolean;
  readonly log: Log;
  readonly now: () => Date;
  /** A fresh request id. */
  readonly nextId: () => string;
  /** Version of the package, for serverInfo (E002). */
  readonly version: string;
  /** VERSION of the deployment, for `/version` and the OpenAPI document (E031, E696). */
  readonly buildVersion: string;
  readonly limits?: Partial<HttpLimits>;
}

interface RulesHttp {
  readonly access: RulesAccess;
  readonly verifier: ApiVerifier;
  /** The served tenant. */
  readonly tenant: string;
  /** What MCP clients are told about the tools. */
  readonly instructions: string;
  /** The pages and routes on which people decide. */
  readonly approval?: Hono<{ Bindings: HttpBindings }>;
}

export interface HttpLimits extends ListenerLimits {
  /** Largest body of an MCP request, in bytes. */
  readonly mcpBodyBytes: number;
}

export interface RunningHttp {
  readonly address: Address;
  /** The listener for metrics, where it has one of its own. */
  readonly metricsAddress: Address | undefined;
  /** Graceful: no new connections, calls under way finish, after `graceMs` the rest is cut. */
  stop(graceMs: number): Promise<void>;
}

const DEFAULT_LIMITS: HttpLimits = {
  headersMs: 15_000,
  requestMs: 120_000,
  keepAliveMs: 72_000,
  stalledMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  mcpBodyBytes: 32 * 1024 * 1024,
};

/** Clients choke on long tool lists, so each surface has an endpoint of its own beside the one that carries all. */
interface Endpoint {
  readonly path: string;
  readonly name: string;
  readonly surfaces: readonly Surface[];
}

const ENDPOINTS: readonly [Endpoint, ...Endpoint[]] = [
  { path: '/mcp', name: 'cairn', surfaces: ['pages', 'rules', 'admin'] },
  { path: '/mcp/pages', name: 'escurel', surfaces: ['pages', 'admin'] },
];
const RULES_ENDPOINT: Endpoint = { path: '/mcp/rules', name: 'groundnote', surfaces: ['rules'] };

const endpointsOf = ({ rules }: HttpOptions): readonly Endpoint[] =>
  rules ? [...ENDPOINTS, RULES_ENDPOINT] : ENDPOINTS;

/** Starts the server and resolves when it listens. Rejects when an address is taken or a name in `access` is no URL. */
export async function startHttp(given: HttpOptions): Promise<RunningHttp> {
  const options = given.rules ? given : { ...given, ops: given.ops.filter(op => op.surface !== 'rules') };
  const { log, metrics, metricsListen } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const plain = plainRoutes(options);
  const door = (mcp: ReadonlyMap<string, McpHttp>, app: Hono): RequestListener =>
    frontDoor({ access: options.access ?? {}, nextId: options.nextId, mcp, plain: listenerOf(app), metrics, log });
  const main = await listen(door(mcpEndpoints(options, limits), plain), options.listen, limits, log);
  const apart = metricsListen === undefined || metricsListen === 'off' ? undefined : metricsListen;
  try {
    const second = apart && (await listen(door(new Map(), metricsRoutes(options)), apart, limits, log));
    return {
      address: main.address,
      metricsAddress: second?.address,
      stop: async graceMs => {
        await Promise.all([main.stop(graceMs), second?.stop(graceMs)]);
      },
    };
  } catch (thrown) {
    await main.stop(0);
    throw thrown;
  }
}

function plainRoutes(options: HttpOptions): Hono {
  const { rules, metrics, record, log, metricsListen, buildVersion, probes, site } = options;
  const publicUrl = options.access?.publicUrl;
  const endpoints = endpointsOf(options).map(endpoint => endpoint.path);
  const app = routes({
    ops: registry(options.ops.filter(op => ENDPOINTS[0].surfaces.includes(op.surface))),
    endpoints,
    probes,
    metrics,
    metricsHere: metricsListen === undefined,
    buildVersion,
    log,
    api: rules?.access.api ?? [],
    site,
  });
  if (publicUrl !== undefined) {
    addResourceMetadata(app, { publicUrl, endpoints, authorizationServers: options.authorizationServers ?? [] });
  }
  if (!rules) return app;
  if (rules.approval) app.route('/', rules.approval);
  const { access, verifier, tenant } = rules;
  app.route('/', v1Routes({ rules: access, verifier, tenant, tenants: options.tenants, publicUrl, record, log }));
  return app;
}

function mcpEndpoints(options: HttpOptions, limits: HttpLimits): ReadonlyMap<string, McpHttp> {
  const bind = createBind(options);
  const { rules, verifier, log } = options;
  const refusal = rules && ((who: Principal) => rules.access.refusal(who.grantIdentity, 'mcp'));
  const seesRules = refusal && (async (who: Principal) => (await refusal(who)) === undefined);
  const challenge = challengeOf(options.access?.publicUrl);
  return new Map(
    endpointsOf(options).map(endpoint => {
      const { path, name, surfaces } = endpoint;
      const ops = registry(options.ops.filter(op => surfaces.includes(op.surface)));
      const told =
        surfaces.includes('rules') && rules && seesRules ? { seesRules, ruleInstructions: rules.instructions } : {};
      const server = mcpServer({ ops, bind, serverInfo: { name, version: options.version }, log, ...told });
      const gate = endpoint === RULES_ENDPOINT && refusal ? { refusal } : {};
      return [path, mcpHttp({ server, verifier, log, maxBodyBytes: limits.mcpBodyBytes, challenge, ...gate })];
    }),
  );
}

const listenerOf = (app: Hono): RequestListener => {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => void listener(request, response);
};
