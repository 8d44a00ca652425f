import { sha256 } from '../../kernel/hash.ts';
import { bundleOf, type BundleParts } from '../bundles/bundle.ts';
import type { Bundle } from '../bundles/schema.ts';
import type { Calendar } from '../calendar.ts';
import { defineRuleOp } from '../rule-op.ts';
import { abstention } from './abstention.ts';
import { answerIn, LOOKED_AT, questionOf, type AnswerParts, type Found, type ScopeAnswer } from './answer.ts';
import { variantsOf, type LexicalQuery } from './lexical/query.ts';
import { SearchRequest, SearchResponse } from './schema.ts';
import { together } from './stages/states.ts';

export interface SearchRulesDeps extends AnswerParts {
  readonly rules: AnswerParts['rules'] & BundleParts['rules'];
  readonly sources: BundleParts['sources'];
  readonly calendar: Calendar;
  readonly recheckAfterDays: number;
}

/** Rules that answer a text or terms, each with its evidence (contract 7); the stages that did not run say so. */
export const searchRules = defineRuleOp({
  name: 'search_rules',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'search',
  summary: 'Search rules by text or terms. Cite every bundle with its date and source.',
  input: SearchRequest,
  output: SearchResponse,
  touches: ({ scopes, cross_scope: across }) => ({ scopes: [...new Set(scopes)], across }),
  async run(deps: SearchRulesDeps, ctx, request) {
    const now = ctx.now();
    const day = request.as_of ?? deps.calendar.dayOf(now);
    const scopes = [...new Set(request.scopes)];
    const asked = {
      text: request.text,
      given: request.terms ?? [],
      day,
      most: showsAsFound(deps) ? request.limit : LOOKED_AT,
      explain: true,
      proposals: request.include_proposals,
      relation: request.relation,
      signal: ctx.signal,
    };
    const isAllowed = scopes.some(scope => deps.stages?.b?.availability(scope) === null);
    const started = isAllowed ? deps.stages?.b?.start(questionOf(asked)) : undefined;
    const found: ScopeAnswer[] = [];
    for (const scope of scopes) found.push(await answerIn(deps, scope, asked, started));
    const stages = {
      a: together(found.map(one => one.stages.a)),
      b: together(found.map(one => one.stages.b)),
      c: together(found.map(one => one.stages.c)),
    };
    const bundles: Bundle[] = [];
    for (const { scope, hit } of interleaved(found).slice(0, request.limit)) {
      const view = { scope, day, now, calendar: deps.calendar, recheckAfterDays: deps.recheckAfterDays };
      // While a later stage was at work somebody may have decided: what was rejected meanwhile does not exist.
      const latest = await deps.rules.find(scope, hit.rule.current.ruleId);
      if (latest?.current.status === 'rejected') continue;
      bundles.push(await bundleOf(deps, hit.rule.current, hit.rule, view, hit));
    }
    const said = found.map(({ query }) => saidOf(query));
    const names = [...new Set(said.flatMap(one => one.terms))];
    const inputSha256 = request.text === undefined ? null : sha256(request.text);
    return {
      status: 200,
      output: {
        search_id: ctx.callId,
        scopes,
        stages,
        query: { terms: names, variants: everyForm(said.map(one => one.variants)) },
        bundles,
        abstained: bundles.length > 0 ? null : abstention(found, deps.minCoverage),
      },
      log: scopes.map((scope, at) => ({
        scope,
        refs: bundles.filter(({ head }) => head.scope === scope).map(({ head }) => head.ref),
        search: { ...said[at]!, stages: found[at]!.stages, inputSha256 },
      })),
    };
  },
});

/** Whether nothing changes the order of what words find or leaves some of it out, so that no more need be found than is shown. */
const showsAsFound = ({ minCoverage, stages }: SearchRulesDeps): boolean =>
  minCoverage === 0 && !stages?.b && !stages?.c;

const saidOf = (query: LexicalQuery) => ({
  terms: query.terms.map(({ name }) => name),
  variants: Object.fromEntries(variantsOf(query)),
});

/** Terms depend on the words of a scope, and so do their forms: every form of every scope, in the order first seen (contract 7.1). */
function everyForm(all: readonly Readonly<Record<string, readonly string[]>>[]): Record<string, string[]> {
  const names = [...new Set(all.flatMap(one => Object.keys(one)))];
  return Object.fromEntries(names.map(name => [name, [...new Set(all.flatMap(one => one[name] ?? []))]]));
}

/** The best of every scope, then the second of every scope, and so on (contract 7.7). */
function interleaved(found: readonly ScopeAnswer[]): { scope: string; hit: Found }[] {
  const deepest = Math.max(...found.map(({ kept }) => kept.length));
  return Array.from({ length: deepest }, (_, place) =>
    found.flatMap(({ scope, kept }) => (place < kept.length ? [{ scope, hit: kept[place]! }] : [])),
  ).flat();
}
