import { sha256 } from '../../kernel/hash.ts';
import { bundleOf, type BundleParts } from '../bundles/bundle.ts';
import type { Bundle } from '../bundles/schema.ts';
import type { Calendar } from '../calendar.ts';
import { defineRuleOp } from '../rule-op.ts';
import { SearchRequest, SearchResponse, type StageState } from './schema.ts';
import { stageA, type Found, type StageAParts } from './stage-a.ts';
import type { Language } from './stopwords.ts';
import { searchTerms } from './terms.ts';

export interface SearchRulesDeps extends StageAParts {
  readonly rules: StageAParts['rules'] & BundleParts['rules'];
  readonly sources: BundleParts['sources'];
  readonly calendar: Calendar;
  readonly recheckAfterDays: number;
  readonly languages: readonly Language[];
  /** Heads that match less of the query are left out; 0: none is. */
  readonly minCoverage: number;
  /** Milliseconds, only compared with each other. */
  readonly ticks: () => number;
}

const OFF: StageState = { state: 'off', duration_ms: null, reason: 'disabled in config' };

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
    const terms = searchTerms(request.text, request.terms ?? [], deps.languages);
    const started = deps.ticks();
    const found: { scope: string; all: Found[]; kept: Found[] }[] = [];
    for (const scope of scopes) {
      const query = { terms, day, proposals: request.include_proposals, relation: request.relation };
      const all = await stageA(deps, scope, query);
      found.push({ scope, all, kept: all.filter(({ coverage }) => (coverage ?? 0) >= deps.minCoverage) });
    }
    const ran = { state: 'ran' as const, duration_ms: Math.max(0, Math.round(deps.ticks() - started)), reason: null };
    const stages = { a: ran, b: OFF, c: OFF };
    const bundles: Bundle[] = [];
    for (const { scope, hit } of interleaved(found).slice(0, request.limit)) {
      const view = { scope, day, now, calendar: deps.calendar, recheckAfterDays: deps.recheckAfterDays };
      bundles.push(await bundleOf(deps, hit.rule.current, hit.rule, view, hit));
    }
    const names = terms.map(({ name }) => name);
    const variants = Object.fromEntries(
      terms.map(({ name, phrases }) => [name, phrases.map(words => words.join(' '))]),
    );
    const inputSha256 = request.text === undefined ? null : sha256(request.text);
    return {
      status: 200,
      output: {
        search_id: ctx.callId,
        scopes,
        stages,
        query: { terms: names, variants },
        bundles,
        abstained:
          bundles.length > 0
            ? null
            : abstention(
                found.flatMap(({ all }) => all),
                deps.minCoverage,
              ),
      },
      log: scopes.map(scope => ({
        scope,
        refs: bundles.filter(({ head }) => head.scope === scope).map(({ head }) => head.ref),
        search: { terms: names, variants, stages, inputSha256 },
      })),
    };
  },
});

/** The best of every scope, then the second of every scope, and so on (contract 7.7). */
function interleaved(found: readonly { scope: string; kept: readonly Found[] }[]): { scope: string; hit: Found }[] {
  const deepest = Math.max(...found.map(({ kept }) => kept.length));
  return Array.from({ length: deepest }, (_, place) =>
    found.flatMap(({ scope, kept }) => (place < kept.length ? [{ scope, hit: kept[place]! }] : [])),
  ).flat();
}

/** Why nothing is shown. Without a configured minimum only a lack of candidates can be the reason. */
function abstention(all: readonly Found[], minCoverage: number): NonNullable<SearchResponse['abstained']> {
  if (all.length === 0) return { reason: 'no-candidate', best_coverage: null, min_coverage: minCoverage };
  const best = Math.max(...all.map(({ coverage }) => coverage ?? 0));
  return { reason: 'below-min-coverage', best_coverage: best, min_coverage: minCoverage };
}
