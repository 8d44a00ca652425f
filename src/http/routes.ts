import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Log } from '../kernel/log.ts';
import type { Registry } from '../kernel/registry.ts';
import { faultOf } from './fault.ts';
import type { Metrics } from './metrics.ts';
import { openApi, type RouteDoc } from './openapi.ts';
import type { ApiOp, Probe, Site } from './ports.ts';
import { readiness } from './readiness.ts';
import { v1Docs } from './v1/docs.ts';

export interface RouteParts {
  readonly ops: Registry;
  /** Paths of the MCP endpoints, for the document. */
  readonly endpoints: readonly string[];
  readonly probes: Readonly<Record<string, Probe>>;
  readonly metrics: Metrics;
  readonly metricsHere: boolean;
  readonly buildVersion: string;
  readonly log: Log;
  /** Ops that have routes below `/v1`, for the document. */
  readonly api: readonly ApiOp[];
  /** Answers paths that nothing else does. */
  readonly site?: Site | undefined;
}

const DOCS: readonly RouteDoc[] = [
  { path: '/openapi.json', summary: 'This document', answers: { 200: 'OpenAPI 3.1' } },
  { path: '/healthz', summary: 'The process answers', answers: { 200: 'OK' } },
  { path: '/readyz', summary: 'Every part is up', answers: { 200: 'OK', 503: 'Which part is down' } },
  { path: '/version', summary: 'The version of this build', answers: { 200: 'Plain text' } },
];
const METRICS_DOC: RouteDoc = { path: '/metrics', summary: 'Prometheus series', answers: { 200: 'Text format 0.0.4' } };

/** The plain routes: no token, no body (E031, E693-E697). Whatever else is asked for is the site's, else a JSON 404 (E706). */
export function routes(parts: RouteParts): Hono {
  const app = base(parts);
  const docs = parts.metricsHere ? [...DOCS, METRICS_DOC] : DOCS;
  const document = openApi(parts.ops, parts.endpoints, docs, v1Docs(parts.api), parts.buildVersion);
  app.get('/openapi.json', c => c.body(document, 200, { 'content-type': 'application/json' }));
  app.get('/healthz', c => c.text('OK'));
  app.get('/version', c => c.text(parts.buildVersion));
  app.get('/readyz', async c => {
    const components = await readiness(parts.probes);
    return Object.values(components).every(Boolean) ? c.text('OK') : c.json({ ready: false, components }, 503);
  });
  if (parts.metricsHere) addMetrics(app, parts.metrics);
  if (parts.site) addSite(app, parts.site);
  return app;
}

/** What a listener of its own for metrics answers. */
export function metricsRoutes(parts: Pick<RouteParts, 'metrics' | 'log'>): Hono {
  const app = base(parts);
  addMetrics(app, parts.metrics);
  return app;
}

function base({ metrics, log }: Pick<RouteParts, 'metrics' | 'log'>): Hono {
  const app = new Hono();
  app.use(counted(metrics));
  app.notFound(noSuchRoute);
  app.onError((error, c) => {
    log.error(faultOf(error), 'route.fault');
    return c.json({ error: 'internal', message: 'internal error' }, 500);
  });
  return app;
}

const noSuchRoute = (c: Context): Response => c.json({ error: 'not_found', message: 'no such route' }, 404);

function addSite(app: Hono, site: Site): void {
  app.notFound(async c => {
    const file =
      c.req.method === 'GET' || c.req.method === 'HEAD' ? await site(new URL(c.req.url).pathname) : undefined;
    if (!file) return noSuchRoute(c);
    return c.body(file.bytes, 200, { 'content-type': file.type, 'x-content-type-options': 'nosniff' });
  });
}

const addMetrics = (app: Hono, metrics: Metrics): Hono =>
  app.get('/metrics', async c => c.body(await metrics.text(), 200, { 'content-type': 'text/plain; version=0.0.4' }));

const counted =
  (metrics: Metrics): MiddlewareHandler =>
  async (c, next) => {
    const started = performance.now();
    await next();
    metrics.request(routeOf(c), c.res.status, (performance.now() - started) / 1000);
  };

/** The pattern that answered. Paths that nobody serves share one label: a label is kept for ever. */
const routeOf = (c: Context): string => matchedRoutes(c).find(({ path }) => path !== '/*')?.path ?? 'none';
