import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counterexample } from './counterexample.ts';
import { decide, proposed, refusal, stocked, type World } from './world.ts';

/** One thing that somebody does; `rule` and `other` choose among the rules there are. */
interface Step {
  readonly what: 'propose' | 'confirm' | 'reject' | 'revoke' | 'wait';
  readonly rule: number;
  readonly other: number | null;
  /** Days from the first one. */
  readonly day: number;
}

/** One word a rule, none near another. */
const WORDS =
  'amber bishop cactus dolphin elbow falcon glacier harbour igloo jungle kettle lantern mosaic nutmeg'.split(' ');
const DAY = 86_400_000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');
const dayAt = (number: number): string => new Date(FIRST + number * DAY).toISOString().slice(0, 10);

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('propose', 'propose', 'confirm', 'confirm', 'confirm', 'reject', 'revoke', 'wait'),
  rule: fc.nat(20),
  other: fc.option(fc.nat(20), { freq: 1 }),
  day: fc.nat(40),
});

/** A rule as a simple model knows it. */
interface Known {
  readonly id: string;
  readonly word: string;
  status: 'proposed' | 'confirmed' | 'superseded' | 'rejected';
  readonly from: string;
  readonly replaces: Known | undefined;
  until: string | undefined;
  by: Known | undefined;
}

async function play(here: World, steps: readonly Step[]): Promise<Known[]> {
  const rules: Known[] = [];
  for (const { what, rule, other, day } of steps) {
    const one = rules[rule % Math.max(1, rules.length)];
    if (what === 'wait') here.pass(day * DAY);
    if (what === 'propose') {
      const replaces = other === null ? undefined : rules[other % Math.max(1, rules.length)];
      const word = WORDS[rules.length]!;
      if (replaces && replaces.status !== 'confirmed') continue;
      const id = await proposed(here, {
        statement: `Hook rails are marked with ${word} on the side`,
        keywords: [],
        relations: [],
        valid_from: dayAt(day),
        supersedes: replaces?.id ?? null,
      });
      rules.push({ id, word, status: 'proposed', from: dayAt(day), replaces, until: undefined, by: undefined });
    }
    if (!one || what === 'propose' || what === 'wait') continue;
    const version = one.status === 'proposed' ? 1 : 2;
    const bodies = {
      confirm: { decision: 'confirm', version },
      reject: { decision: 'reject', version, reason: 'no' },
      revoke: { decision: 'revoke', version, reason: 'over', valid_until: dayAt(day) },
    };
    if ((await refusal(decide(here, one.id, bodies[what])))['code'] !== 'none') continue;
    if (what === 'reject') one.status = 'rejected';
    if (what === 'revoke') Object.assign(one, { status: 'superseded', until: dayAt(day) });
    if (what !== 'confirm') continue;
    one.status = 'confirmed';
    if (one.replaces) Object.assign(one.replaces, { status: 'superseded', until: one.from, by: one });
  }
  return rules;
}

const stands = ({ status, from, until }: Known, day: string): boolean =>
  (status === 'confirmed' || status === 'superseded') && from <= day && (until === undefined || day < until);

/** The rule that a hit on this one stands for on a day. */
function standsFor(rule: Known, day: string): Known | undefined {
  if (stands(rule, day)) return rule;
  const ended = rule.until !== undefined && rule.until <= day;
  return ended && rule.by ? standsFor(rule.by, day) : undefined;
}

const rootOf = (rule: Known): Known => (rule.replaces ? rootOf(rule.replaces) : rule);

/** What is wrong with the answers about one day; nothing when they are those of the model. */
async function differences(here: World, rules: readonly Known[], day: string): Promise<string[]> {
  const ask = async (more: object): Promise<string[]> =>
    (await here.do('searchRules', { scopes: ['sales'], as_of: day, limit: 50, ...more })).bundles.map(
      (one: { head: { ref: string } }) => one.head.ref.slice('rule/'.length).split('@')[0],
    );
  const all = (await ask({ terms: ['hook rails'] })).toSorted();
  const wanted = rules.filter(rule => stands(rule, day)).map(({ id }) => id);
  const waiting = rules.filter(({ status }) => status === 'proposed').map(({ id }) => id);
  const withProposals = (await ask({ terms: ['hook rails'], include_proposals: true })).toSorted();
  const found: string[] = [];
  if (all.join() !== wanted.toSorted().join()) found.push(`${day}: ${all.join()} instead of ${wanted.join()}`);
  if (withProposals.join() !== [...wanted, ...waiting].toSorted().join()) found.push(`${day}: proposals`);
  const chains = all.map(id => rootOf(rules.find(rule => rule.id === id)!).id);
  if (new Set(chains).size !== chains.length) found.push(`${day}: two of one chain`);
  for (const rule of rules) {
    const head = rule.status === 'confirmed' || rule.status === 'superseded' ? standsFor(rule, day)?.id : undefined;
    const one = await ask({ terms: [rule.word] });
    if (one.join() !== (head ?? '')) found.push(`${day}: ${rule.id} leads to ${one.join()} instead of ${head}`);
  }
  return found;
}

test('[RU71] whatever was proposed and decided, a search as of any day answers like a simple model', async () => {
  const days = [-1, 0, 7, 20, 39, 41, 400].map(dayAt);
  const history = fc.array(step, { minLength: 4, maxLength: 14 });
  const property = fc.asyncProperty(history, async steps => {
    const here = await stocked({ now: new Date('2026-03-12T10:00:00Z') });
    try {
      const rules = await play(here, steps);
      const wrong: string[] = [];
      for (const day of days) wrong.push(...(await differences(here, rules, day)));
      return wrong.length === 0;
    } finally {
      here.remove();
    }
  });
  expect(await counterexample(property, 8)).toBeUndefined();
}, 60_000);

test('[RU71] the model itself tells histories apart', async () => {
  const here = await stocked();
  const at = (what: Step['what'], rule: number, day: number, other: number | null = null): Step => ({
    what,
    rule,
    other,
    day,
  });
  const rules = await play(here, [
    at('propose', 0, 0),
    at('confirm', 0, 0),
    at('propose', 0, 20, 0),
    at('confirm', 1, 0),
  ]);
  expect(await differences(here, rules, dayAt(10))).toEqual([]);
  rules[0]!.until = dayAt(5);
  expect((await differences(here, rules, dayAt(10))).length).toBeGreaterThan(0);
  here.remove();
});
