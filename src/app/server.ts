import { openTenant } from '../admin/index.ts';
import { createQuotas } from '../auth/index.ts';
import { systemClock, type Clock } from '../kernel/clock.ts';
import { ulids } from '../kernel/ids.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import { callRecorder, createMetrics, createTraces, startHttp, type Traces } from '../http/index.ts';
import { createParseCache, projector } from '../pages/index.ts';
import type { RerankStage } from '../search/rerank/index.ts';
import { synonymsOfText } from '../search/synonyms/index.ts';
import { fileLanes } from '../storage/lanes/index.ts';
import { tarballs } from '../storage/lanes/tarball/index.ts';
import { openStorage, type Storage } from '../storage/sqlite/index.ts';
import { adminOps, agentOps } from './agent.ts';
import { embeddingAdmin, startEmbeddings, vectorOptions, type Embeddings } from './embeddings.ts';
import { pagesDeps } from './pages.ts';
import { reranking } from './reranking.ts';
import { requirePrivate } from './private-folder.ts';
import { rulesSurface, type RulesSurface } from './rules-surface.ts';
import { outgoingFetch } from './outgoing.ts';
import { openRules, type Rules } from './rules.ts';
import { plantMetaSkill, seedFolder } from './seed.ts';
import { staticSite } from './static-site.ts';
import { verifiersOf } from './verifier.ts';

export interface ServerOptions {
  readonly settings: Settings;
  /** Version of the package, for serverInfo (E002). */
  readonly version: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** How issuers are asked; for tests that stand in for the network. */
  readonly fetch?: typeof globalThis.fetch;
  /** Called with the rules once they are open, before anybody is served. */
  readonly prepareRules?: (rules: Rules) => Promise<void>;
  /** False: look at files at start and when asked, and not while they are changed; for tests of what that finds. */
  readonly watch?: boolean;
  /** Called between the named steps of a page write, for crash tests. */
  readonly step?: (name: string) => void;
}

export interface RunningServer {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  readonly metricsUrl: string | undefined;
  /** One line, once the model of the settings is loaded or cannot be: what answers by meaning, or how to get that. */
  meaning(): Promise<string>;
  /** Resolves when published files and outside edits are worked off; the server answers all the while. */
  settled(): Promise<void>;
  /** Finishes calls under way, publishes what is committed, closes the data folder. */
  stop(): Promise<void>;
}

const GRACE_MS = 10_000;
/** Characters of pages that are kept parsed in memory, each with its answer about five times. */
const PARSED_CHARACTERS = 16 * 1024 * 1024;

/** Opens the data folder and serves it. Rejects with a coded error when the folder or the address cannot be had. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, log, clock = systemClock, step } = options;
  const { server, acl, observability } = settings;
  const outgoing = options.fetch ?? (await outgoingFetch(settings.outgoing));
  const publicUrl = server.publicUrl ?? settings.rules?.publicUrl ?? null;
  const cache = createParseCache(PARSED_CHARACTERS);
  const project = projector(cache.parse);
  if (settings.rules) requirePrivate(server.dataDir);
  const quotas = createQuotas({ clock, limits: settings.quotas });
  // What is embedded because the server starts is nobody's call: a fresh tenant has all of its quota (E063, E084).
  let begun = false;
  const debitEmbeds = (blocks: number): void => {
    for (let block = 0; block < blocks; block++) quotas.debit(server.tenant, 'embeds');
  };
  const storage = await openStorage({
    dataDir: server.dataDir,
    project,
    lanes: fileLanes,
    clock,
    log,
    vectors: vectorOptions(settings, {
      fetch: outgoing,
      onEmbedded(blocks) {
        if (begun) debitEmbeds(blocks);
      },
    }),
    watch: options.watch ?? true,
    ...(settings.history.keepDays === null ? {} : { keepHistoryDays: settings.history.keepDays }),
    ...(step ? { step } : {}),
  });
  let rules: Rules | undefined;
  let surface: RulesSurface | undefined;
  let embeddings: Embeddings | undefined;
  let rerank: RerankStage | undefined;
  const metrics = createMetrics();
  const traces = tracesOf(options, outgoing);
  const record = callRecorder({ metrics, traces, log });
  const close = async (): Promise<void> => {
    await traces?.stop();
    embeddings?.stop();
    await surface?.stop();
    await rerank?.close();
    rules?.close();
    await storage.close();
  };
  try {
    rules = settings.rules ? openRules({ settings: settings.rules, dataDir: server.dataDir, clock, log }) : undefined;
    if (rules) await options.prepareRules?.(rules);
    const verifiers = verifiersOf(settings, {
      clock,
      log,
      fetch: outgoing,
      grantOf: async ({ auth, identity }) => rules?.grants.find(auth, identity),
    });
    const tenant = await openTenant({ id: server.tenant, store: storage.tenants, quotas });
    surface =
      rules &&
      (await rulesSurface({
        rules,
        verifiers: verifiers.rules!,
        tenants: tenant,
        tenant: server.tenant,
        dataDir: server.dataDir,
        version: options.version,
        record,
        log,
      }));
    const seedling = { store: storage.pages, index: storage.index, clock, log };
    if (server.seedDir !== null) await seedFolder(server.seedDir, seedling);
    await plantMetaSkill(seedling);
    if (server.rebuildIndexOnBoot === 'always') await storage.rebuild();
    const { vectors } = storage;
    embeddings = await startEmbeddings({ settings, vectors, chosen: () => tenant.spec().embedding_provider, log });
    const { follow, started, up, meaning, defers } = embeddings;
    void started.then(vectors.whenSettled).then(
      () => (begun = true),
      () => {},
    );
    storage.onCommitted(({ origin, blocks }) => {
      metrics.write(server.tenant, origin);
      if (defers()) debitEmbeds(blocks);
    });
    rerank = reranking({
      settings: settings.retrieval,
      dataDir: server.dataDir,
      fetch: outgoing,
      clock,
      log,
    });
    const { minSimilarity } = settings.embedding;
    const { fusion, synonyms } = settings.retrieval;
    const search = { minSimilarity, fusion, rerank, synonyms: synonymsOfText(synonyms) };
    const modes = { writeAcl: acl.write, autonomyLint: acl.autonomyLint, search };
    const pages = pagesDeps(storage, cache, modes, log);
    const http = await startHttp({
      listen: { host: server.host, port: server.port },
      ...(observability.metrics === 'main' ? {} : { metricsListen: observability.metrics }),
      access: {
        ...(publicUrl === null ? {} : { publicUrl }),
        allowedHosts: server.allowedHosts,
        allowedOrigins: server.allowedOrigins,
        // People who decide about rules are signed in by cookies, which pages of others must not use.
        anyOrigin: server.siteDir !== null && !rules,
      },
      ops: [
        ...agentOps(pages),
        ...(surface?.tools ?? []),
        ...adminOps({
          pages,
          tenant,
          quotas,
          members: storage.groups,
          storage: {
            ...storage,
            // A provider that was chosen since counts from a rebuild on.
            async rebuild(...asked) {
              const rebuilt = await storage.rebuild(...asked);
              await follow();
              return rebuilt;
            },
          },
          tarballs,
          embeddings: embeddingAdmin(embeddings, vectors),
          plant: () => plantMetaSkill(seedling),
          onDrift: (category, count) => metrics.auditDrift(server.tenant, category, count),
        }),
      ],
      ...(surface && { rules: surface.http }),
      authorizationServers: issuersOf(settings),
      verifier: verifiers.pages,
      tenants: tenant,
      quotas,
      framePages: server.framePages,
      probes: {
        lane_store: () => filesAreUp(storage.lanes),
        indexer: storage.up,
        embedder: async () => up(),
        // It lives in this process: it is up when it answers (E695).
        index_snapshot: async () => true,
      },
      metrics,
      record,
      ...(server.siteDir !== null && { site: staticSite(server.siteDir) }),
      log,
      now: clock,
      nextId: ulids(clock),
      version: options.version,
      buildVersion: server.version,
    });
    return {
      url: urlOf(http.address),
      metricsUrl: http.metricsAddress && urlOf(http.metricsAddress),
      meaning: () => started.then(meaning),
      settled: async () => void (await Promise.all([storage.whenDrained(), started])),
      async stop() {
        await http.stop(GRACE_MS);
        await close();
      },
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Spans go out only where a collector is named (N075). */
function tracesOf({ settings, version, log }: ServerOptions, fetch: typeof globalThis.fetch): Traces | undefined {
  const { otlpEndpoint, logEnv } = settings.observability;
  return otlpEndpoint === null ? undefined : createTraces({ endpoint: otlpEndpoint, version, env: logEnv, fetch, log });
}

/** Whether pages become files, and files are where they were left. */
async function filesAreUp(lanes: Storage['lanes']): Promise<boolean> {
  return lanes.up() && lanes.missing() === 0 && (await lanes.trouble()) === null;
}

/** Where clients sign in; nowhere in the modes whose tokens are handed out by hand. */
function issuersOf({ auth }: Settings): readonly string[] {
  if (auth.mode === 'oidc') return auth.oidc.issuers.map(({ issuer }) => issuer);
  return auth.mode === 'cloudflare-access' ? [auth.access.teamDomain] : [];
}

const urlOf = ({ host, port }: { host: string; port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
