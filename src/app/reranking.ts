import { isAbsolute, join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import type { RetrievalSettings } from '../kernel/settings/index.ts';
import { RerankFault, rerankStage, type RerankStage } from '../search/rerank/index.ts';
import type { Reranker } from '../search/rerank/ports.ts';
import { localReranker } from '../storage/models/rerank/local-reranker.ts';
import { serviceReranker, type RerankShape } from '../storage/models/rerank/service-reranker.ts';
import { spendingFile } from '../storage/models/rerank/spending-file.ts';

export interface RerankingParts {
  readonly settings: RetrievalSettings;
  /** Absolute. */
  readonly dataDir: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
}

type Wanted = NonNullable<RetrievalSettings['rerank']>;

const MODELS: Readonly<Record<RerankShape, string>> = {
  cohere: 'rerank-v3.5',
  jina: 'jina-reranker-v2-base-multilingual',
  voyage: 'rerank-2.5',
};

/** The stage that orders hits of pages anew; undefined where the settings want none. */
export function reranking(parts: RerankingParts): RerankStage | undefined {
  const { settings, dataDir, clock, log } = parts;
  const wanted = settings.rerank;
  if (!wanted) return undefined;
  const { provider, candidates, timeoutMs, monthlyCapUsd } = wanted;
  const local = provider === 'bge';
  const folder = join(dataDir, 'models');
  return rerankStage({
    reranker: local ? localOnUse(wanted, folder, log) : service(wanted, provider, parts.fetch),
    candidates,
    timeoutMs,
    monthlyCapUsd: local ? null : monthlyCapUsd,
    spending: spendingFile(join(dataDir, 'rerank-spending')),
    now: clock,
  });
}

function service(wanted: Wanted, shape: RerankShape, fetch: typeof globalThis.fetch): Reranker {
  const { url, apiKey, timeoutMs, usdPerThousand } = wanted;
  const model = wanted.model ?? MODELS[shape];
  return serviceReranker({ shape, model, url, apiKey, timeoutMs, usdPerThousand, fetch });
}

/** Loaded with the first question and tried again with the next one when that failed; searches go on without it. */
function localOnUse({ model }: Wanted, models: string, log: Log): Reranker {
  const name = model!;
  const folder = isAbsolute(name) ? name : join(models, name.slice(name.lastIndexOf('/') + 1));
  let opened: Promise<Reranker> | undefined;
  const open = (): Promise<Reranker> =>
    localReranker({ folder, threads: 1 }).catch((error: unknown) => {
      opened = undefined;
      log.error({ err: error, folder }, 'the reranker cannot be loaded, hits keep their order');
      throw new RerankFault('the model cannot be loaded');
    });
  return {
    name,
    price: () => 0,
    async score(question, passages, signal) {
      opened ??= open();
      return (await opened).score(question, passages, signal);
    },
    async close() {
      await opened?.then(
        reranker => reranker.close(),
        () => undefined,
      );
    },
  };
}
