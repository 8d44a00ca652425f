import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counterexample } from './counterexample.ts';
import { decide, proposal, proposed, refusal, stocked, type World } from './world.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-03-12T10:00:00.000Z');
const DAYS = 12;
const dayAfter = (days: number): string => new Date(FIRST + days * DAY_MS).toISOString().slice(0, 10);

let here: World;
beforeAll(async () => (here = await stocked()));
afterAll(() => here.remove());

/** A rule as plainly as one can think of it. */
interface Modelled {
  readonly id: string;
  version: number;
  status: 'proposed' | 'confirmed' | 'superseded' | 'rejected';
  readonly from: number;
  until: number;
  /** Which of the earlier ones it would replace. */
  readonly replaces: Modelled | undefined;
  /** The status of each version, and the day it was made. */
  readonly past: { readonly day: number; readonly status: string }[];
}

type Step =
  | { readonly do: 'propose'; readonly from: number; readonly replaces: number | null }
  | { readonly do: 'confirm' | 'reject' | 'review' | 'reword'; readonly which: number }
  | { readonly do: 'revoke'; readonly which: number; readonly until: number }
  | { readonly do: 'wait' };

const which = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      from: fc.nat({ max: DAYS }),
      replaces: fc.option(which, { freq: 3 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('confirm' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('reject' as const, 'review' as const, 'reword' as const), which }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revoke' as const), which, until: fc.nat({ max: DAYS }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'wait' as const }) },
);

/** Every history begins with each kind of end, so that none is missed by chance. */
const ALWAYS: readonly Step[] = [
  { do: 'propose', from: 0, replaces: null },
  { do: 'confirm', which: 0 },
  { do: 'propose', from: 3, replaces: 0 },
  { do: 'confirm', which: 1 },
  { do: 'propose', from: 1, replaces: null },
  { do: 'reject', which: 2 },
  { do: 'propose', from: 0, replaces: null },
  { do: 'confirm', which: 3 },
  { do: 'revoke', which: 3, until: 5 },
];

const holds = (rule: Modelled, day: number): boolean =>
  (rule.status === 'confirmed' || rule.status === 'superseded') && rule.from <= day && day < rule.until;

/** Does the steps on the product and on the model; throws where the product answers otherwise. */
async function lived(steps: readonly Step[], keyword: string): Promise<{ rules: Modelled[]; today: number }> {
  const rules: Modelled[] = [];
  let today = 0;
  const change = (rule: Modelled, status: Modelled['status']): void => {
    rule.status = status;
    rule.version++;
    rule.past.push({ day: today, status });
  };
  const taken = async (rule: Modelled, body: object, allowed: boolean): Promise<boolean> => {
    const { code } = await refusal(decide(here, rule.id, { version: rule.version, ...body }));
    if ((code === 'none') !== allowed)
      throw new Error(`${JSON.stringify(body)} of ${rule.id} answered ${String(code)}`);
    return allowed;
  };
  for (const one of steps) {
    if (one.do === 'wait') {
      here.pass(DAY_MS);
      today++;
    } else if (one.do === 'propose') {
      const replaces = one.replaces === null ? undefined : rules[one.replaces];
      const over = {
        keywords: [keyword],
        valid_from: dayAfter(one.from),
        supersedes: replaces?.id ?? null,
        relations: [],
      };
      if (replaces && replaces.status !== 'confirmed') {
        const { code } = await refusal(here.do('proposeRule', proposal(over)));
        if (code !== 'reference-unknown')
          throw new Error(`a proposal to replace ${replaces.id} answered ${String(code)}`);
        continue;
      }
      const id = await proposed(here, over);
      const past = [{ day: today, status: 'proposed' }];
      rules.push({ id, version: 1, status: 'proposed', from: one.from, until: Infinity, replaces, past });
    } else {
      const rule = rules[one.which];
      if (!rule) continue;
      if (one.do === 'confirm') {
        const old = rule.replaces;
        const free = rule.status === 'proposed' && (!old || (old.status === 'confirmed' && rule.from >= old.from));
        if (!(await taken(rule, { decision: 'confirm' }, free))) continue;
        change(rule, 'confirmed');
        if (!old) continue;
        old.until = rule.from;
        change(old, 'superseded');
      } else if (one.do === 'reject') {
        if (await taken(rule, { decision: 'reject', reason: 'no' }, rule.status === 'proposed'))
          change(rule, 'rejected');
      } else if (one.do === 'revoke') {
        const body = { decision: 'revoke', reason: 'gone', valid_until: dayAfter(one.until) };
        if (!(await taken(rule, body, rule.status === 'confirmed' && one.until >= rule.from))) continue;
        rule.until = one.until;
        change(rule, 'superseded');
      } else {
        const body = { decision: 'review', ...(one.do === 'reword' && { change: { keywords: [keyword, 'more'] } }) };
        if ((await taken(rule, body, rule.status === 'confirmed')) && one.do === 'reword') change(rule, 'confirmed');
      }
    }
  }
  here.pass(-today * DAY_MS);
  return { rules, today };
}

const idOf = (ref: string): string => ref.slice('rule/'.length).split('@')[0]!;
const LINE =
  /^(Unconfirmed |Superseded )?(Rule|Note) from \d{4}-\d{2}-\d{2}: [^\n]+?( — with (1 meeting|1 mail)(, [^;]+)?)?; (last reviewed \d+ days? ago(, still valid\?)?|proposed \d+ days? ago, not confirmed)$/;

/** Where the product and the model differ on some day, in words. */
async function differences(rules: readonly Modelled[], keyword: string): Promise<string[]> {
  const found: string[] = [];
  for (let day = 0; day <= DAYS + 1; day++) {
    const asked = { scopes: ['sales'], terms: [keyword], as_of: dayAfter(day), limit: 50 };
    const { bundles } = await here.do('searchRules', asked);
    const shown: string[] = bundles.map((bundle: { head: { ref: string } }) => idOf(bundle.head.ref)).sort();
    const expected = rules.filter(rule => holds(rule, day)).map(rule => rule.id);
    if (shown.join() !== expected.sort().join()) found.push(`day ${day}: ${shown.join()} for ${expected.join()}`);
    for (const { line } of bundles) if (!LINE.test(line)) found.push(line);
    // Two rules of one chain never hold on one day.
    for (const rule of rules) {
      for (let old = rule.replaces; old; old = old.replaces) {
        const chained =
          old.past.some(({ status }) => status === 'superseded') &&
          rule.past.some(({ status }) => status === 'confirmed');
        if (chained && shown.includes(rule.id) && shown.includes(old.id))
          found.push(`day ${day}: ${rule.id} and ${old.id}`);
      }
    }
  }
  return found;
}

/** What a rule is said to have been at the end of each day. */
async function misremembered(rules: readonly Modelled[], today: number): Promise<string[]> {
  const found: string[] = [];
  for (const rule of rules) {
    for (let day = 0; day <= today; day++) {
      const asked = here.do('readRule', { ref: `rule/${rule.id}`, as_of: dayAfter(day) });
      const then = rule.past.findLast(one => one.day <= day)?.status ?? (holds(rule, day) ? rule.status : undefined);
      const seen = rule.status === 'rejected' ? undefined : then;
      const answer = await asked.then(
        ({ version }) => version.status as string,
        ({ code }) => (code === 'not-found' ? undefined : code),
      );
      if (answer !== seen) found.push(`${rule.id} on day ${day}: ${String(answer)} for ${String(seen)}`);
    }
  }
  return found;
}

test('[RU71, RU62, RU74, RU76, RU104] for any history, every day answers like a simple model, and every line is one', async () => {
  let run = 0;
  const seen = { superseded: 0, revoked: 0, rejected: 0 };
  expect(
    await counterexample(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async steps => {
        const keyword = `matter${String(run++).padStart(4, '0')}x`;
        const { rules, today } = await lived([...ALWAYS, ...steps], keyword);
        for (const rule of rules) {
          if (rule.status === 'rejected') seen.rejected++;
          if (rule.status === 'superseded') seen[rules.some(one => one.replaces === rule) ? 'superseded' : 'revoked']++;
        }
        expect(await differences(rules, keyword)).toEqual([]);
        expect(await misremembered(rules, today)).toEqual([]);
      }),
      15,
    ),
  ).toBeUndefined();
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});
