import type { RuleReader, StoredRule } from '../ports.ts';
import { headsOf } from './heads.ts';
import type { LexicalQuery } from './lexical/query.ts';
import type { LexicalAnswer, LexicalRequest, RuleSearch } from './ports.ts';
import type { StageState } from './schema.ts';
import { POOL, statusesOf } from './stage-a.ts';
import { fused, lexicalOnly, type Ranked } from './stages/fuse.ts';
import type { LaterStages, SemanticStage } from './stages/ports.ts';
import { OFF } from './stages/states.ts';

/** Heads whose evidence is looked at, that the last stage reads, and that an answer can show. */
export const LOOKED_AT = 50;

export interface AnswerParts {
  readonly search: RuleSearch;
  readonly rules: Pick<RuleReader, 'find'>;
  readonly stages?: LaterStages | undefined;
  /** Heads that match less of the query are left out; 0: none is. */
  readonly minCoverage: number;
  /** Milliseconds, only compared with each other. */
  readonly ticks: () => number;
}

/** One rule that answers a query. */
export interface Found {
  readonly rule: StoredRule;
  readonly rank: Ranked['rank'] & { readonly reranker: number | null };
  readonly foundVia: readonly string[];
  /** Share of the query's weight that the rule matches, three decimals; null past the first 50. */
  readonly coverage: number | null;
  readonly matchedTerms: number | null;
}

export interface ScopeAnswer {
  readonly scope: string;
  readonly query: LexicalQuery;
  readonly all: readonly Found[];
  /** Those that are answer enough. */
  readonly kept: readonly Found[];
  readonly stages: { readonly a: StageState; readonly b: StageState; readonly c: StageState };
}

/** A question, and how far whoever asked still waits. */
export interface AnswerRequest extends LexicalRequest {
  readonly signal?: AbortSignal | undefined;
}

/** A question that was handed to the stage by meaning, while the others still look. */
export type StartedStage = ReturnType<SemanticStage['start']> | undefined;

/** Every stage in one scope (contract 7.4-8): words, meaning beside them, then the best ones read again. */
export async function answerIn(
  parts: AnswerParts,
  scope: string,
  { signal, ...request }: AnswerRequest,
  started: StartedStage,
): Promise<ScopeAnswer> {
  const began = parts.ticks();
  const found = await parts.search.lexical(scope, request, signal);
  const ms = Math.max(0, Math.round(parts.ticks() - began));
  const a = { state: 'ran' as const, duration_ms: ms, reason: null };
  const semantic = await byMeaning(parts, scope, request, started);
  const ranked = semantic.heads ? fused(found.heads, semantic.heads) : lexicalOnly(found.heads);
  const all = await explained(parts, scope, found, ranked);
  const read = await readAgain(parts, scope, questionOf(request), all);
  const { minCoverage, stages } = parts;
  const kept = read.ran
    ? read.all.filter(({ rank }) => rank.reranker !== null && rank.reranker >= stages!.c!.threshold)
    : read.all.filter(({ coverage }) => (coverage ?? 0) >= minCoverage);
  return { scope, query: found.query, all: read.all, kept, stages: { a, b: semantic.state, c: read.state } };
}

/** What the later stages read of a question. */
export const questionOf = ({ text, given }: Pick<LexicalRequest, 'text' | 'given'>): string =>
  [...given, text ?? ''].join(' ').trim();

async function byMeaning(
  { stages, rules }: AnswerParts,
  scope: string,
  request: LexicalRequest,
  started: StartedStage,
) {
  const state = stages?.b ? stages.b.availability(scope) : OFF;
  if (state !== null || !started) return { state: state ?? OFF, heads: null };
  const outcome = await started.run(scope, statusesOf(request), POOL);
  return {
    state: outcome.state,
    heads: outcome.found && (await headsOf(id => rules.find(scope, id), outcome.found, request)),
  };
}

/** Heads with what says why they answer: of words that found them it is known, of others it is asked. */
async function explained(
  { search }: AnswerParts,
  scope: string,
  answer: LexicalAnswer,
  ranked: readonly Ranked[],
): Promise<Found[]> {
  const idOf = ({ rule }: Pick<Ranked, 'rule'>): string => rule.current.ruleId;
  const known = new Map(answer.heads.map((head, at) => [idOf(head), answer.evidence[at]]));
  const best = ranked.slice(0, LOOKED_AT);
  const unknown = best.filter(head => !known.has(idOf(head))).map(head => ({ ruleId: idOf(head), hits: head.hits }));
  const found = unknown.length === 0 ? [] : await search.evidence(scope, answer, unknown);
  for (const [at, { ruleId }] of unknown.entries()) known.set(ruleId, found[at]);
  return ranked.map((head, place) => {
    const evidence = place < LOOKED_AT ? known.get(idOf(head)) : null;
    return {
      rule: head.rule,
      rank: { ...head.rank, reranker: null },
      foundVia: [...(evidence?.foundVia ?? []), ...(head.rank.b === null ? [] : ['semantic'])].sort(),
      coverage: evidence?.coverage ?? null,
      matchedTerms: evidence?.matchedTerms ?? null,
    };
  });
}

async function readAgain({ stages }: AnswerParts, scope: string, question: string, all: readonly Found[]) {
  const unchanged = (state: StageState) => ({ ran: false, state, all });
  if (!stages?.c) return unchanged(OFF);
  const state = stages.c.availability(scope);
  if (state) return unchanged(state);
  const [best, rest] = [all.slice(0, LOOKED_AT), all.slice(LOOKED_AT)];
  const outcome = await stages.c.run(question, best.map(passageOf));
  if (!outcome.found) return unchanged(outcome.state);
  const scores = outcome.found;
  const scored = best.map((one, at) => ({
    ...one,
    rank: { ...one.rank, reranker: Math.min(1, Math.max(0, scores[at]!)) },
  }));
  return {
    ran: true,
    state: outcome.state,
    all: [...scored.toSorted((a, b) => b.rank.reranker - a.rank.reranker), ...rest],
  };
}

const passageOf = ({ rule: { current } }: Found): string => `${current.statement}\n${current.quote}`;
