import type { Bundle, Entry } from '../../bundles/schema.ts';
import type { SearchResponse } from '../schema.ts';
import type { CompactBundle, CompactSearchResponse } from './schema.ts';

/** Characters of a title in `related`, the last one `…` when there is more. */
const RELATED_TITLE_CHARS = 120;

interface Cut {
  readonly bundles: number;
  /** Refs of the first bundle's groups that are left. */
  readonly refs: number;
  /** Characters of the first quote that are left. */
  readonly quote: number;
}

/**
 * A search answer that fits a model (contract 6.5): `size` says how large one is, `limit` is the most. Whole bundles go from the
 * end, then refs of the first one, then the end of its quote; the first head with its line always stays.
 */
export function compact(
  full: SearchResponse,
  size: (answer: CompactSearchResponse) => number,
  limit: number,
): CompactSearchResponse {
  const whole = { bundles: full.bundles.length, refs: refsOf(full.bundles[0]), quote: quoteOf(full.bundles[0]) };
  const fits = (cut: Cut): boolean => size(compacted(full, cut, whole)) <= limit;
  if (whole.bundles === 0 || fits(whole)) return compacted(full, whole, whole);
  const bundles = Math.max(
    1,
    most(whole.bundles, kept => fits({ ...whole, bundles: kept })),
  );
  const refs =
    bundles > 1
      ? whole.refs
      : Math.max(
          0,
          most(whole.refs, kept => fits({ ...whole, bundles, refs: kept })),
        );
  const cut = { ...whole, bundles, refs };
  if (bundles > 1 || fits(cut)) return compacted(full, cut, whole);
  return compacted(
    full,
    {
      ...cut,
      quote: Math.max(
        0,
        most(whole.quote, kept => fits({ ...cut, quote: kept })),
      ),
    },
    whole,
  );
}

/** The largest number up to `limit` that holds, given that smaller ones hold as well; -1 when none does. */
function most(limit: number, holds: (number: number) => boolean): number {
  let [low, high] = [-1, limit];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const groupsOf = (bundle: Bundle | undefined) => (bundle?.groups ?? []).filter(group => group.kind !== 'source');
const refsOf = (bundle: Bundle | undefined): number =>
  groupsOf(bundle).reduce((sum, group) => sum + group.entries.length, 0);
const quoteOf = (bundle: Bundle | undefined): number => bundle?.head.source.quote.length ?? 0;

function compacted(full: SearchResponse, cut: Cut, whole: Cut): CompactSearchResponse {
  const related = new Map<string, Entry>();
  const bundles = full.bundles.slice(0, cut.bundles).map((bundle, index) => {
    let left = index === 0 ? cut.refs : Infinity;
    const groups = groupsOf(bundle).map(group => {
      const entries = group.entries.slice(0, Math.max(0, left));
      left -= group.entries.length;
      for (const entry of entries) if (!related.has(entry.ref)) related.set(entry.ref, entry);
      const proposed = entries.filter(entry => entry.proposed).map(entry => entry.ref);
      return {
        kind: group.kind,
        count: group.count,
        refs: entries.map(entry => entry.ref),
        ...(proposed.length > 0 ? { proposed_refs: proposed } : {}),
      };
    });
    const quote = index === 0 && cut.quote < whole.quote ? ended(bundle.head.source.quote, cut.quote) : undefined;
    return { head: headOf(bundle, quote), groups, line: bundle.line };
  });
  const { search_id, scopes, stages, query, abstained } = full;
  return {
    search_id,
    scopes,
    stages,
    query: { terms: query.terms },
    bundles,
    abstained,
    related: [...related.values()].map(({ ref, kind, date, title }) => ({
      ref,
      kind,
      date,
      title: title.length > RELATED_TITLE_CHARS ? ended(title, RELATED_TITLE_CHARS - 1) : title,
    })),
    truncated: truncation(cut, whole),
  };
}

function headOf({ head }: Bundle, quote = head.source.quote): CompactBundle['head'] {
  const { ref, kind, status, scope, title, date, valid_from, valid_until, recheck, coverage } = head;
  const { quote: _whole, ...source } = head.source;
  return { ref, kind, status, scope, title, quote, date, valid_from, valid_until, recheck, source, coverage };
}

/** The first `kept` characters with `…`; half of a surrogate pair is left off. */
const ended = (text: string, kept: number): string => `${text.slice(0, kept).replace(/[\uD800-\uDBFF]$/, '')}…`;

function truncation(cut: Cut, whole: Cut): CompactSearchResponse['truncated'] {
  const omitted = whole.bundles - cut.bundles;
  const refs = whole.refs - cut.refs;
  const quoteCut = cut.quote < whole.quote;
  if (omitted === 0 && refs === 0 && !quoteCut) return null;
  return { omitted, ...(refs > 0 ? { omitted_refs: refs } : {}), ...(quoteCut ? { quote_cut: true } : {}) };
}
