import type { RerankStage } from '../../../search/rerank/index.ts';
import type { RerankingStage } from './ports.ts';
import { failed, notAllowed } from './states.ts';

export interface RerankingParts {
  /** Undefined: there is no way to the provider, e.g. no key. */
  readonly stage: RerankStage | undefined;
  readonly threshold: number;
  /** What the configuration says of a scope. */
  readonly allowed: (scope: string) => { readonly allowed: readonly string[]; readonly reranker: boolean };
}

const PROVIDER = 'typesafe';

/** The stage that reads the best rules again. No text of a scope leaves the host unless the scope says so twice (contract 3). */
export function rerankingStage({ stage, threshold, allowed }: RerankingParts): RerankingStage {
  return {
    threshold,
    availability(scope) {
      const { allowed: providers, reranker } = allowed(scope);
      if (!reranker || !providers.includes(PROVIDER)) return notAllowed(PROVIDER);
      return stage ? null : failed(`no way to ${PROVIDER}`);
    },
    async run(question, passages) {
      const { scores, state } = await stage!.run(question, passages);
      return { state, found: scores };
    },
  };
}
