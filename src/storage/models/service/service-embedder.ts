import { EmbedderFault, unitVector } from '../../../search/vectors/index.ts';
import type { Embedded, Embedder, VectorSpace } from '../../../search/vectors/ports.ts';
import type { Answer } from './ask.ts';

/** Counts texts that are about to be sent. Answers 0, or in how many milliseconds there may be more of them. */
export type Spend = (texts: number, perDay: number) => number;

export interface Wire {
  readonly model: string;
  readonly revision: string;
  /** Numbers a vector is to have; null: as many as come. */
  readonly dim: number | null;
  /** Asks for the vectors of some texts. */
  send(texts: readonly string[], kind: 'query' | 'passage', signal: AbortSignal | undefined): Promise<Answer>;
  /** The lists of numbers in an answer, in order; null when it is no such answer. */
  read(json: unknown): readonly (readonly number[])[] | null;
}

export interface ServiceLimits {
  /** Texts a request. */
  readonly batch: number;
  /** Texts of pages a day (UTC); null: as many as there are. Questions are counted and never refused. */
  readonly perDay: number | null;
  readonly spend: Spend;
}

const PROBE = 'cairn';

/** An embedder that asks a service. It is asked one question at once, to know that it answers and how long its vectors are. */
export async function serviceEmbedder(wire: Wire, limits: ServiceLimits): Promise<Embedder> {
  const [probe] = await vectorsOf([PROBE], 'query', undefined);
  if (typeof probe === 'string') throw new EmbedderFault(`${wire.model}: ${probe}`);
  const dim = wire.dim ?? probe!.length;
  if (!unitVector(probe!, dim)) {
    throw new EmbedderFault(`${wire.model} gives vectors of ${probe!.length} numbers, ${dim} are asked for`);
  }
  const space: VectorSpace = { model: wire.model, revision: wire.revision, dim, semantic: true };

  async function vectorsOf(
    texts: readonly string[],
    kind: 'query' | 'passage',
    signal: AbortSignal | undefined,
  ): Promise<(readonly number[] | string)[]> {
    const answer = await wire.send(texts, kind, signal);
    if ('json' in answer) {
      const lists = wire.read(answer.json);
      if (lists?.length === texts.length) return [...lists];
      throw new EmbedderFault(`${wire.model}: the service answers with something else than ${texts.length} vectors`);
    }
    if (texts.length === 1) return [answer.refused];
    // One of them is at fault; each is asked about alone, to know which.
    const alone: (readonly number[] | string)[] = [];
    for (const text of texts) alone.push(...(await vectorsOf([text], kind, signal)));
    return alone;
  }

  function embedded(result: readonly number[] | string): Embedded {
    if (typeof result === 'string') return { poison: result };
    const vector = unitVector(result, dim);
    return vector ? { vector } : { poison: 'the service gave no usable vector' };
  }

  return {
    space,
    async embedQuery(text, signal) {
      limits.spend(1, Number.POSITIVE_INFINITY);
      const [result] = await vectorsOf([text], 'query', signal);
      const made = embedded(result!);
      if ('poison' in made) throw new EmbedderFault(`${wire.model}: ${made.poison}`);
      return made.vector;
    },
    async embedTexts(texts, signal) {
      const made: Embedded[] = [];
      for (let from = 0; from < texts.length; from += limits.batch) {
        const some = texts.slice(from, from + limits.batch);
        const waitMs = limits.spend(some.length, limits.perDay ?? Number.POSITIVE_INFINITY);
        if (waitMs > 0) throw new EmbedderFault('the texts for today are used up', { retryAfterMs: waitMs });
        made.push(...(await vectorsOf(some, 'passage', signal)).map(embedded));
      }
      return made;
    },
    close: async () => undefined,
  };
}
