import { availableParallelism } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { EmbeddingAdmin } from '../admin/ports.ts';
import type { EmbeddingProvider } from '../auth/schema.ts';
import type { Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import type { VectorSpace } from '../search/vectors/ports.ts';
import { openEmbedder, type EmbedderSource } from '../storage/models/index.ts';
import type { VectorOptions } from '../storage/sqlite/vectors/open-vectors.ts';
import type { GenerationStatus, Vectors } from '../storage/sqlite/vectors/vectors.ts';

export interface Embeddings {
  /** False while the embedder that is wanted cannot be had (E695). */
  up(): boolean;
  /** Opens the embedder that the settings and the tenant name now; answers the model's name, else the provider's (E691). */
  reload(): Promise<string>;
  /** The same when another one is named than was opened last; what fails is logged. */
  follow(): Promise<void>;
  /** Resolves when the first try is over. */
  readonly started: Promise<void>;
  /** Whether vectors are of spelling alone and made on request, so that a block is paid for when it is written (E072). */
  defers(): boolean;
  /** One line: which model answers by meaning, or how to get one. */
  meaning(): string;
  stop(): void;
}

export interface EmbeddingsParts {
  readonly settings: Settings;
  readonly vectors: Pick<Vectors, 'configure' | 'resume'>;
  /** What an admin set for the tenant, in place of the setting. */
  readonly chosen: () => EmbeddingProvider | undefined;
  readonly log: Log;
}

const GEMINI = { url: 'https://generativelanguage.googleapis.com/v1beta', model: 'gemini-embedding-001', dim: 768 };
const GEMMA = 'embeddinggemma-300m';
const FIRST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 600_000;

/** How the store opens embedders: keys come from the settings, never out of what is stored. */
export function vectorOptions(
  { embedding }: Settings,
  parts: { readonly fetch: typeof fetch; readonly onEmbedded: (blocks: number) => void },
): VectorOptions {
  const { apiKey, geminiApiKey, timeoutMs, batch, textsPerDay, coarse } = embedding;
  const services = { apiKey, geminiApiKey, timeoutMs, batch, textsPerDay, fetch: parts.fetch };
  const threads = Math.max(1, availableParallelism() - 1);
  return {
    open: (source, { spend }) => openEmbedder(source, { services, spend, threads }),
    onEmbedded: parts.onEmbedded,
    // Fusion asks only lanes that know meaning, so spelling is not embedded for nobody.
    lazy: true,
    ...(coarse ? { coarse } : {}),
  };
}

/**
 * Starts embedding. A model that is required is waited for, and one that cannot be had stops the start (N045); otherwise the
 * server starts, goes on with what served before, and tries again, later and later.
 */
export async function startEmbeddings(parts: EmbeddingsParts): Promise<Embeddings> {
  const { settings, vectors, chosen, log } = parts;
  let opened = '';
  let up = true;
  let meaning = meaningLine(null);
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  async function reload(): Promise<string> {
    clearTimeout(retry);
    const source = embedderSource(settings, chosen());
    const text = JSON.stringify(source);
    try {
      const space = await vectors.configure(text);
      [opened, up, retryMs] = [text, true, FIRST_RETRY_MS];
      meaning = meaningLine(space);
      log.info({ embedder: source.provider }, meaning);
      return space?.model ?? source.provider;
    } catch (error) {
      up = false;
      throw error;
    }
  }

  /** Reloads, and when that fails says so, goes on with what there is and tries again. */
  async function tryOn(): Promise<void> {
    try {
      await reload();
    } catch (error) {
      log.warn({ err: error, again_ms: retryMs }, 'the embedding model cannot be used, words alone answer without it');
      await vectors.resume();
      retry = setTimeout(() => void tryOn(), retryMs).unref();
      retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
    }
  }

  const started = settings.embedding.required ? reload().then(() => undefined) : tryOn();
  if (settings.embedding.required) {
    await started.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new StartRefusal('embedder-unavailable', `CAIRN_EMBEDDER_REQUIRED is set, and: ${why}`);
    });
  }
  return {
    up: () => up,
    reload,
    async follow() {
      if (JSON.stringify(embedderSource(settings, chosen())) !== opened) await tryOn();
    },
    started,
    defers: () => (chosen() ?? settings.embedding.provider) === 'hash',
    meaning: () => meaning,
    stop: () => clearTimeout(retry),
  };
}

/** What admins see and may do. */
export function embeddingAdmin(embeddings: Embeddings, vectors: Pick<Vectors, 'status'>): EmbeddingAdmin {
  const shown = (one: GenerationStatus | null) =>
    one && {
      model: one.model,
      revision: one.revision,
      dim: one.dim,
      semantic: one.semantic,
      done: one.done,
      total: one.total,
      seconds_left: one.secondsLeft,
      trouble: one.trouble,
      parked: one.parked,
    };
  return {
    reload: embeddings.reload,
    status() {
      const { lane, serving, building } = vectors.status();
      return { state: lane.state, serving: shown(serving), building: shown(building) };
    },
  };
}

/** Which lane answers by meaning, and how to get one where none does. */
function meaningLine(space: VectorSpace | null): string {
  if (space?.semantic) return `search answers by meaning: ${space.model}, ${space.dim} numbers a text`;
  return (
    'search answers by words and spelling, not by meaning; for that: cairn models get <name>, ' +
    'then CAIRN_EMBEDDING_PROVIDER=local and CAIRN_EMBEDDING_MODEL=<name>'
  );
}

/** What the settings name, or the provider that an admin chose, with its usual model where the settings are for another. */
function embedderSource({ embedding, server }: Settings, chosen: EmbeddingProvider | undefined): EmbedderSource {
  const provider = chosen ?? embedding.provider;
  const own = provider === embedding.provider ? embedding : null;
  const dim = own?.dim ?? null;
  switch (provider) {
    case 'zero':
    case 'hash':
      return { provider };
    case 'local':
    case 'embeddinggemma':
      return { provider: 'local', folder: modelFolder(server.dataDir, own?.model ?? GEMMA), dim };
    case 'gemini':
      return { provider, url: own?.url ?? GEMINI.url, model: own?.model ?? GEMINI.model, dim: dim ?? GEMINI.dim };
    case 'openai':
      return {
        provider,
        url: embedding.url!,
        model: embedding.model!,
        dim,
        query_prefix: embedding.queryPrefix,
        passage_prefix: embedding.passagePrefix,
      };
  }
}

/** A path stays one; a name is that of a folder below models of the data folder, of a hub's name the last part. */
function modelFolder(dataDir: string, model: string): string {
  if (isAbsolute(model) || /^\.{1,2}[/\\]/.test(model)) return resolve(model);
  return join(dataDir, 'models', model.split('/').at(-1)!);
}
