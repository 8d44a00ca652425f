import { isAbsolute, join, resolve } from 'node:path';
import type { RulesSettings } from '../kernel/settings/index.ts';
import { rerankingStage, semanticStage, type LaterStages, type RuleVectors } from '../rules/search/stages/index.ts';
import type { Embedder } from '../search/vectors/ports.ts';
import { localEmbedder } from '../storage/models/local/local.ts';

export interface RuleStages {
  readonly stages: LaterStages;
  close(): Promise<void>;
}

export interface RuleStagesParts {
  readonly settings: Pick<RulesSettings, 'search'>;
  readonly dataDir: string;
  readonly vectors: RuleVectors;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

const NONE = { allowed: [], reranker: false };

/**
 * The stages of the search of rules that the configuration switches on (contract 3). A model is read at the first search; one
 * that cannot be read is tried again at the next.
 */
export function ruleStages({ settings, dataDir, vectors, report }: RuleStagesParts): RuleStages {
  const { semantic, reranker, providers } = settings.search;
  let opened: Promise<Embedder> | undefined;
  const open = (folder: string): Promise<Embedder> => {
    opened ??= localEmbedder({ folder, dim: null, threads: 1 }).catch((thrown: unknown) => {
      opened = undefined;
      throw thrown;
    });
    return opened;
  };
  return {
    stages: {
      ...(semantic?.enabled
        ? {
            b: semanticStage({
              embedder: () => open(folderOf(semantic, dataDir)),
              vectors,
              allowed: scope => providers[scope]?.allowed ?? [],
              ticks: () => performance.now(),
              report,
            }),
          }
        : {}),
      ...(reranker?.enabled
        ? {
            c: rerankingStage({
              // This version has no client of the one provider that the configuration can name.
              stage: undefined,
              threshold: reranker.threshold,
              allowed: scope => providers[scope] ?? NONE,
            }),
          }
        : {}),
    },
    async close() {
      await opened?.then(
        embedder => embedder.close(),
        () => undefined,
      );
    },
  };
}

function folderOf(
  { model, model_dir: folder }: { model: string; model_dir?: string | undefined },
  dataDir: string,
): string {
  const models = folder === undefined ? join(dataDir, 'models') : isAbsolute(folder) ? folder : resolve(folder);
  return join(models, model);
}
