import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Bundle, Entry } from '../../src/rules/bundles/schema.ts';
import { compact } from '../../src/rules/search/compact/compact.ts';
import { CompactSearchResponse } from '../../src/rules/search/compact/schema.ts';
import { SearchResponse } from '../../src/rules/search/schema.ts';

const entry = (ref: string, title = `title of ${ref}`, proposed = false): Entry => ({
  ref,
  kind: 'rule',
  date: '2026-03-12T09:00:00Z',
  title,
  excerpt: 'excerpt',
  link: null,
  origin: proposed ? 'proposed' : 'deterministic',
  proposed,
});

function bundle(number: number, quote: string, related: readonly Entry[]): Bundle {
  const ref = `rule/sales-${String(number).padStart(4, '0')}@2`;
  const source = {
    kind: 'mail',
    id: 'mail:<a@b>',
    quote,
    timestamp: null,
    link: 'https://mail.example.com/1',
  } as const;
  return {
    head: {
      ref,
      kind: 'rule',
      date: '2026-03-12T09:00:00Z',
      title: `statement ${number}`,
      excerpt: quote,
      link: source.link,
      scope: 'sales',
      status: 'confirmed',
      unconfirmed: false,
      valid_from: '2026-03-12',
      valid_until: null,
      superseded_by: null,
      last_reviewed_at: '2026-03-12T09:00:00Z',
      age_days: 0,
      recheck: null,
      source,
      speaker: 'Ada',
      relations: [],
      rank: { a: 1, b: null, rrf: null, reranker: null },
      found_via: ['x'],
      coverage: 1,
      matched_terms: 1,
      entities: [],
    },
    groups: [
      { kind: 'source', count: 1, entries: [entry('source/mail:<a@b>')], more: 0 },
      ...(related.length > 0
        ? [{ kind: 'same-relation' as const, count: related.length + 3, entries: [...related], more: 3 }]
        : []),
    ],
    line: `line ${number}`,
  };
}

const ran = { state: 'ran', duration_ms: 1, reason: null } as const;
const off = { state: 'off', duration_ms: null, reason: 'disabled in config' } as const;
const answer = (bundles: Bundle[]): SearchResponse =>
  SearchResponse.parse({
    search_id: '0b0e7b60-7a4b-4a57-9f35-1f2e4f9f1c11',
    scopes: ['sales'],
    stages: { a: ran, b: off, c: off },
    query: { terms: ['x'], variants: { x: ['x'] } },
    bundles,
    abstained: bundles.length > 0 ? null : { reason: 'no-candidate', best_coverage: null, min_coverage: 0 },
  } satisfies SearchResponse);

const size = (value: unknown): number => JSON.stringify(value).length;
const none = Number.MAX_SAFE_INTEGER;

describe('the compact form', () => {
  test('[RC2] leaves the source group out and names entries once', () => {
    const shared = entry('rule/sales-0009@1', 'x'.repeat(130));
    const full = answer([
      bundle(1, 'quote one', [shared, entry('rule/sales-0008@1', 'p', true)]),
      bundle(2, 'quote two', [shared]),
    ]);
    const found = compact(full, size, none);
    expect(CompactSearchResponse.parse(found)).toEqual(found);
    expect(found.truncated).toBeNull();
    expect(found.bundles.map(one => [one.line, one.head.quote, one.head.title])).toEqual([
      ['line 1', 'quote one', 'statement 1'],
      ['line 2', 'quote two', 'statement 2'],
    ]);
    expect(found.bundles[0]!.groups).toEqual([
      {
        kind: 'same-relation',
        count: 5,
        refs: ['rule/sales-0009@1', 'rule/sales-0008@1'],
        proposed_refs: ['rule/sales-0008@1'],
      },
    ]);
    expect(found.bundles[1]!.groups).toEqual([{ kind: 'same-relation', count: 4, refs: ['rule/sales-0009@1'] }]);
    expect(found.related.map(one => one.ref)).toEqual(['rule/sales-0009@1', 'rule/sales-0008@1']);
    expect(found.related[0]!.title).toBe(`${'x'.repeat(119)}…`);
    expect(Object.keys(found.related[0]!)).toEqual(['ref', 'kind', 'date', 'title']);
    expect(found.query).toEqual({ terms: ['x'] });
  });

  test('[RC2] an empty answer keeps why it is empty', () => {
    const found = compact(answer([]), size, 10);
    expect(found).toMatchObject({ bundles: [], related: [], truncated: null, abstained: { reason: 'no-candidate' } });
  });

  test('[RC3] over the limit bundles go from the end', () => {
    const full = answer(Array.from({ length: 10 }, (_, index) => bundle(index + 1, 'q'.repeat(300), [])));
    const found = compact(full, size, 3000);
    expect(size(found)).toBeLessThanOrEqual(3000);
    const kept = found.bundles.length;
    expect(kept).toBeGreaterThan(1);
    expect(found.bundles.map(one => one.line)).toEqual(Array.from({ length: kept }, (_, index) => `line ${index + 1}`));
    expect(found.truncated).toEqual({ omitted: 10 - kept });
  });

  test('[RC4] a first bundle too long alone loses refs, then its quote', () => {
    const many = Array.from({ length: 5 }, (_, index) => entry(`rule/sales-${index + 1000}@1`));
    const full = answer([bundle(1, 'q'.repeat(2000), many), bundle(2, 'short', [])]);
    const alone = size(compact(answer(full.bundles.slice(0, 1)), size, none));
    const fewer = compact(full, size, alone - 100);
    expect(fewer.truncated).toMatchObject({ omitted: 1, omitted_refs: expect.any(Number) });
    expect(fewer.bundles[0]!.head.quote).toBe('q'.repeat(2000));
    expect(fewer.bundles[0]!.groups[0]!.count).toBe(8);
    const cut = compact(full, size, 1500);
    expect(cut.truncated).toEqual({ omitted: 1, omitted_refs: 5, quote_cut: true });
    expect(cut.bundles[0]!.head.quote).toMatch(/^q+…$/);
    expect(cut.related).toEqual([]);
    const least = compact(full, size, 1);
    expect(least.bundles.map(one => [one.line, one.head.quote])).toEqual([['line 1', '…']]);
  });

  test('[RC4] no half of a character is left of a quote', () => {
    const full = answer([bundle(1, '🙂'.repeat(1000), [])]);
    for (const limit of [1200, 1201, 1202, 1203]) {
      expect(compact(full, size, limit).bundles[0]!.head.quote).toMatch(/^🙂*…$/u);
    }
  });

  test('[RC3, RC4, RC5] as much stays as fits', () => {
    const some = fc.array(fc.tuple(fc.nat(400), fc.nat(5)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 6000 }), (shapes, limit) => {
        const full = answer(
          shapes.map(([length, entries], index) =>
            bundle(
              index + 1,
              'q'.repeat(20 + length),
              Array.from({ length: entries }, (_, at) => entry(`rule/sales-${1000 * index + at + 1000}@1`)),
            ),
          ),
        );
        const found = compact(full, size, limit);
        const { omitted = 0, omitted_refs = 0, quote_cut } = found.truncated ?? {};
        expect(found.bundles.length + omitted).toBe(full.bundles.length);
        expect(found.bundles[0]!.line).toBe('line 1');
        const more = compact(answer(full.bundles.slice(0, found.bundles.length + 1)), size, none);
        const wider = size({ ...more, truncated: omitted > 1 ? { omitted: omitted - 1 } : null });
        const holds = {
          'it fits': found.bundles[0]!.head.quote === '…' || size(found) <= limit,
          'it was needed': !found.truncated || size(compact(full, size, none)) > limit,
          'bundles go first': !(omitted_refs > 0 || quote_cut) || found.bundles.length === 1,
          'refs go next': !quote_cut || found.related.length === 0,
          'one more is too many': omitted === 0 || found.bundles.length === 1 || wider > limit,
        };
        expect(Object.entries(holds).filter(([, held]) => !held)).toEqual([]);
      }),
    );
  });
});
