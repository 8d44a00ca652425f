import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createQuotas, type QuotaDimension, type Quotas } from '../../src/auth/index.ts';
import { DEFAULT_QUOTAS, type QuotaLimits } from '../../src/auth/schema.ts';
import { handClock } from './oidc-setup.ts';
import { quotaModel } from './quota-model.ts';

const DIMENSIONS = ['queries', 'writes', 'embeds'] as const;

function drain(quotas: Quotas, tenant: string, dimension: QuotaDimension): number {
  let taken = 0;
  while (quotas.debit(tenant, dimension).ok) taken += 1;
  return taken;
}

function world() {
  const clock = handClock();
  return { clock, quotas: createQuotas({ clock }) };
}

test('[AU50] the built-in limits', () => {
  expect(DEFAULT_QUOTAS).toEqual({
    queries_per_minute: 600,
    writes_per_minute: 120,
    embeds_per_minute: 300,
    concurrent_sessions: 32,
    max_blob_bytes: 26_214_400,
  });
  const { quotas } = world();
  expect(quotas.remaining('t')).toEqual({ queries: 600, writes: 120, embeds: 300 });
  expect(DIMENSIONS.map(dimension => drain(quotas, 't', dimension))).toEqual([600, 120, 300]);
});

test('[AU51] a bucket refills continuously, and never above a minute’s worth', () => {
  const { clock, quotas } = world();
  drain(quotas, 't', 'queries');
  clock.advance(99);
  expect(quotas.debit('t', 'queries').ok).toBe(false);
  clock.advance(1);
  expect(drain(quotas, 't', 'queries')).toBe(1);
  clock.advance(1_050);
  expect(quotas.remaining('t').queries).toBe(10);
  expect(drain(quotas, 't', 'queries')).toBe(10);
  clock.advance(50);
  expect(drain(quotas, 't', 'queries')).toBe(1);
  clock.advance(3_600_000);
  expect(drain(quotas, 't', 'queries')).toBe(600);
});

test('[AU52] a refusal names the wait, rounded up', () => {
  const clock = handClock();
  const quotas = createQuotas({ clock, limits: { ...DEFAULT_QUOTAS, writes_per_minute: 60, queries_per_minute: 7 } });
  drain(quotas, 't', 'writes');
  drain(quotas, 't', 'queries');
  expect(quotas.debit('t', 'writes')).toEqual({ ok: false, retryAfterMs: 1000 });
  expect(quotas.debit('t', 'queries')).toEqual({ ok: false, retryAfterMs: 8572 });
  clock.advance(999);
  expect(quotas.debit('t', 'writes')).toEqual({ ok: false, retryAfterMs: 1 });
});

test('[AU52] after the wait a call passes, and not a millisecond earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(10_000), (perMinute, later) => {
      const clock = handClock();
      const quotas = createQuotas({ clock, limits: { ...DEFAULT_QUOTAS, queries_per_minute: perMinute } });
      drain(quotas, 't', 'queries');
      clock.advance(later);
      drain(quotas, 't', 'queries');
      const refused = quotas.debit('t', 'queries');
      const wait = refused.ok ? 0 : refused.retryAfterMs;
      expect(wait).toBeGreaterThan(0);
      clock.advance(wait - 1);
      expect(quotas.debit('t', 'queries').ok).toBe(false);
      clock.advance(1);
      expect(quotas.debit('t', 'queries').ok).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('[AU53] E073 an empty bucket leaves the others alone, of this tenant and of another', () => {
  const { quotas } = world();
  drain(quotas, 'a', 'writes');
  expect(quotas.debit('a', 'writes').ok).toBe(false);
  expect(quotas.debit('a', 'queries').ok).toBe(true);
  expect(quotas.remaining('b')).toEqual({ queries: 600, writes: 120, embeds: 300 });
});

test('[AU54] overrides are laid over the defaults and fill the buckets', () => {
  const { quotas } = world();
  drain(quotas, 't', 'queries');
  drain(quotas, 'other', 'queries');
  quotas.setLimits('t', { writes_per_minute: 5 });
  expect(quotas.remaining('t')).toEqual({ queries: 600, writes: 5, embeds: 300 });
  quotas.setLimits('t', { embeds_per_minute: 1, queries_per_minute: undefined });
  expect(quotas.remaining('t')).toEqual({ queries: 600, writes: 120, embeds: 1 });
  quotas.setLimits('t', {});
  expect(quotas.remaining('t')).toEqual({ queries: 600, writes: 120, embeds: 300 });
  expect(quotas.remaining('other').queries).toBe(0);
});

test('[AU55] a clock that goes back neither gives nor takes', () => {
  const { clock, quotas } = world();
  drain(quotas, 't', 'queries');
  clock.advance(-3_600_000);
  expect(quotas.debit('t', 'queries')).toEqual({ ok: false, retryAfterMs: 100 });
  clock.advance(100);
  expect(drain(quotas, 't', 'queries')).toBe(1);
});

type Step =
  | { readonly debit: QuotaDimension; readonly tenant: string }
  | { readonly wait: number }
  | { readonly override: Partial<QuotaLimits>; readonly tenant: string };

/** One step on a bucket keeper, answered with everything that can be seen of it. */
const play = (on: Quotas, wait: (ms: number) => void) => (each: Step) => {
  if ('wait' in each) wait(each.wait);
  else if ('override' in each) on.setLimits(each.tenant, each.override);
  const answer = 'debit' in each ? on.debit(each.tenant, each.debit) : null;
  // Also makes every bucket notice each step of the clock, so that one that jumps about stays comparable.
  return [answer, on.remaining('a'), on.remaining('b')];
};

describe('against a model in exact fractions', () => {
  const tenant = fc.constantFrom('a', 'b');
  const rate = fc.integer({ min: 1, max: 50 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 8, arbitrary: fc.record({ debit: fc.constantFrom(...DIMENSIONS), tenant }) },
    { weight: 3, arbitrary: fc.record({ wait: fc.integer({ min: -2_000, max: 20_000 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        tenant,
        override: fc.record(
          { queries_per_minute: rate, writes_per_minute: rate, embeds_per_minute: rate },
          { requiredKeys: [] },
        ),
      }),
    },
  );

  test('[AU51, AU52, AU53, AU54, AU55] any course of calls is answered as the model answers', () => {
    const limits = { ...DEFAULT_QUOTAS, queries_per_minute: 12, writes_per_minute: 7, embeds_per_minute: 3 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const clock = handClock();
        const quotas = createQuotas({ clock, limits });
        const model = quotaModel(limits);
        const expected = steps.map(play(model, model.wait));
        quotas.remaining('a');
        quotas.remaining('b');
        expect(steps.map(play(quotas, clock.advance))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
