import { EmbedderFault } from '../../../search/vectors/index.ts';
import type { Embedder } from '../../../search/vectors/ports.ts';
import type { RuleVectors, SemanticStage } from './ports.ts';
import { failed, notAllowed } from './states.ts';

export interface SemanticParts {
  /** Rejects when the model cannot be used. Asked again at the next search. */
  readonly embedder: () => Promise<Embedder>;
  readonly vectors: RuleVectors;
  /** Providers that may read the texts of a scope. */
  readonly allowed: (scope: string) => readonly string[];
  /** Milliseconds, only compared with each other. */
  readonly ticks: () => number;
  readonly report: (event: string, fields: Readonly<Record<string, string>>) => void;
}

/** Who computes vectors: this machine (contract 3, `providers_allowed`). */
const PROVIDER = 'local';
const BATCH = 32;

/** The stage by meaning. Rules without a vector get theirs in the background, after each search that missed some. */
export function semanticStage(parts: SemanticParts): SemanticStage {
  const { vectors, allowed, ticks, report } = parts;
  const filling = new Set<string>();
  let told = '';

  async function fill(scope: string, embedder: Embedder): Promise<void> {
    if (filling.has(scope)) return;
    filling.add(scope);
    try {
      for (;;) {
        const passages = await vectors.missing(scope, embedder.space, BATCH);
        if (passages.length === 0) return;
        const made = await embedder.embedTexts(passages.map(({ text }) => text));
        const rows = passages.flatMap((passage, at) => {
          const one = made[at];
          return one && 'vector' in one ? [{ passage, vector: one.vector }] : [];
        });
        if (rows.length === 0) return;
        await vectors.put(scope, embedder.space, rows);
      }
    } catch (thrown) {
      report('rules.vectors-failed', { scope, reason: reasonOf(thrown) });
    } finally {
      filling.delete(scope);
    }
  }

  return {
    availability: scope => (allowed(scope).includes(PROVIDER) ? null : notAllowed(PROVIDER)),
    start(question) {
      const started = ticks();
      const asked = parts
        .embedder()
        .then(async embedder => ({ embedder, vector: await embedder.embedQuery(question) }));
      // Whoever runs it hears of a failure; nobody else has to.
      asked.catch(() => undefined);
      return {
        async run(scope, statuses, limit) {
          try {
            const { embedder, vector } = await asked;
            const found = await vectors.nearest(scope, embedder.space, vector, statuses, limit);
            void fill(scope, embedder);
            told = '';
            const ms = Math.max(0, Math.round(ticks() - started));
            return { state: { state: 'ran', duration_ms: ms, reason: null }, found };
          } catch (thrown) {
            const reason = reasonOf(thrown);
            // Every search would say the same.
            if (reason !== told) report('rules.stage-b-failed', { scope, reason });
            told = reason;
            return { state: failed(reason), found: null };
          }
        },
      };
    },
  };
}

/** A line that may be shown. */
const reasonOf = (thrown: unknown): string => {
  if (thrown instanceof EmbedderFault) return thrown.message;
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'internal error';
};
