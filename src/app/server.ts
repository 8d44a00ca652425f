import { openTenant } from '../admin/index.ts';
import { createQuotas } from '../auth/index.ts';
import { systemClock, type Clock } from '../kernel/clock.ts';
import { ulids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import { createMetrics, startHttp } from '../http/index.ts';
import { createParseCache, projector } from '../pages/index.ts';
import { openStorage } from '../storage/sqlite/index.ts';
import { adminOps, agentOps } from './ops.ts';
import { pagesDeps } from './pages.ts';
import { plantMetaSkill, seedFolder } from './seed.ts';
import { verifiersOf } from './verifier.ts';

export interface ServerOptions {
  readonly settings: Settings;
  /** Version of the package, for serverInfo (E002). */
  readonly version: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Called between the named steps of a page write, for crash tests. */
  readonly step?: (name: string) => void;
}

export interface RunningServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** Resolves when published files and outside edits are worked off; the server answers all the while. */
  settled(): Promise<void>;
  /** Finishes calls under way, publishes what is committed, closes the data folder. */
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;
/** Characters of pages that are kept parsed in memory. */
const PARSED_CHARACTERS = 32 * 1024 * 1024;

/** Opens the data folder and serves it. Rejects with a coded error when the folder or the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, log, clock = systemClock, step } = options;
  const { server, acl, observability } = settings;
  const cache = createParseCache(PARSED_CHARACTERS);
  const project = projector(cache.parse);
  const storage = await openStorage({ dataDir: server.dataDir, project, clock, log, ...(step ? { step } : {}) });
  try {
    const quotas = createQuotas({ clock, limits: settings.quotas });
    const tenant = await openTenant({ id: server.tenant, store: storage.tenants, quotas });
    const seedling = { store: storage.pages, index: storage.index, clock, log };
    if (server.seedDir !== null) await seedFolder(server.seedDir, seedling);
    await plantMetaSkill(seedling);
    const metrics = createMetrics();
    storage.onCommitted(({ origin }) => metrics.write(server.tenant, origin));
    const modes = { writeAcl: acl.write, autonomyLint: acl.autonomyLint };
    const pages = pagesDeps(storage, cache, modes, log);
    const http = await startHttp({
      listen: { host: server.host, port: server.port },
      ...(observability.metrics === 'main' ? {} : { metricsListen: observability.metrics }),
      access: {
        ...(server.publicUrl === null ? {} : { publicUrl: server.publicUrl }),
        allowedHosts: server.allowedHosts,
        allowedOrigins: server.allowedOrigins,
      },
      ops: [...agentOps(pages), ...adminOps({ tenant, quotas, members: storage.groups })],
      verifier: verifiersOf(settings, { clock, log, grantOf: async () => undefined }).pages,
      tenants: storage.tenants,
      quotas,
      probes: { lane_store: storage.lanes.up, indexer: storage.up },
      metrics,
      log,
      now: clock,
      nextId: ulids(clock),
      version: options.version,
      buildVersion: server.version,
    });
    return {
      url: urlOf(http.address),
      metricsUrl: http.metricsAddress && urlOf(http.metricsAddress),
      settled: () => storage.whenDrained(),
      async stop() {
        await http.stop(GRACE_MS);
        await storage.close();
      },
    };
  } catch (thrown) {
    await storage.close();
    throw thrown;
  }
}

const urlOf = ({ host, port }: { host: string; port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
