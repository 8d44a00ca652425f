import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../src/rules/bundles/line.ts';
import { GROUPS, type Entry, type Group, type Head } from '../../src/rules/bundles/schema.ts';
import { calendarIn } from '../../src/rules/calendar.ts';
import { counterexample } from './counterexample.ts';

const entry = (ref: string, kind: Entry['kind'], proposed = false): Entry => ({
  ref,
  kind,
  date: '2026-03-12T09:00:00Z',
  title: 'x',
  excerpt: null,
  link: null,
  origin: proposed ? 'proposed' : 'deterministic',
  proposed,
});

const headOf = (over: Partial<Head>): Head => ({
  ...entry('rule/sales-0001@2', 'rule'),
  kind: 'rule',
  title: 'Ask the supplier for the delivery time before ordering black hook rails',
  scope: 'sales',
  status: 'confirmed',
  unconfirmed: false,
  valid_from: '2026-03-12',
  valid_until: null,
  superseded_by: null,
  last_reviewed_at: '2026-03-12T09:00:00Z',
  age_days: 220,
  recheck: null,
  source: { kind: 'mail', id: 'mail:<1@example.com>', quote: 'x', timestamp: null, link: null },
  speaker: null,
  relations: [],
  rank: { a: null, b: null, rrf: null, reranker: null },
  found_via: [],
  coverage: null,
  matched_terms: null,
  entities: [],
  ...over,
});

const KINDS: Readonly<Record<Group['kind'], Entry['kind']>> = {
  source: 'mail',
  thread: 'mail',
  attachment: 'attachment',
  entity: 'entity',
  predecessor: 'rule',
  successor: 'rule',
  contradicts: 'rule',
  'same-relation': 'rule',
};
const groupOf = (kind: Group['kind'], count: number, proposed = 0, of: Entry['kind'] = KINDS[kind]): Group => {
  const shown = Math.min(5, count);
  const entries = Array.from({ length: shown }, (_, at) => entry(`rule/sales-00${10 + at}@1`, of, at < proposed));
  return { kind, count, entries, more: count - shown };
};
const line = (head: Head, groups: Group[], unread = 0, zone = 'Europe/Berlin'): string =>
  lineOf(head, groups, unread, calendarIn(zone));

describe('the line of a bundle', () => {
  test('[RU85] reads as the contract writes it', () => {
    const groups = [groupOf('source', 1, 0, 'meeting'), groupOf('attachment', 2)];
    expect(line(headOf({ recheck: 'still valid?' }), groups)).toBe(
      'Rule from 2026-03-12: Ask the supplier for the delivery time before ordering black hook rails — with 1 meeting, ' +
        '2 attachments; last reviewed 220 days ago, still valid?',
    );
    expect(line(headOf({ age_days: 1, kind: 'note', title: 'Nothing else belongs to it' }), [])).toBe(
      'Note from 2026-03-12: Nothing else belongs to it; last reviewed 1 day ago',
    );
  });

  test('[RU85] names every group, in order, one and many', () => {
    const title = 'Something that is said';
    const each = (count: number) =>
      GROUPS.map(kind => groupOf(kind, ['source', 'predecessor', 'successor'].includes(kind) ? 1 : count));
    expect(line(headOf({ title }), each(1), 1)).toBe(
      `Rule from 2026-03-12: ${title} — with 1 mail, 1 mail in thread, 1 attachment (1 unread), 1 entity, replaces ` +
        'sales-0010, superseded by sales-0010, 1 contradicting rule, 1 related rule; last reviewed 220 days ago',
    );
    expect(line(headOf({ title }), each(7))).toBe(
      `Rule from 2026-03-12: ${title} — with 1 mail, 7 mails in thread, 7 attachments, 7 entities, replaces sales-0010, ` +
        'superseded by sales-0010, 7 contradicting rules, 7 related rules; last reviewed 220 days ago',
    );
  });

  test('[RU85] says what is unconfirmed, over or only proposed, and the day in the zone of the instance', () => {
    const said = { title: 'Something that is said' };
    expect(line(headOf({ ...said, status: 'proposed', age_days: 0 }), [])).toBe(
      'Unconfirmed Rule from 2026-03-12: Something that is said; proposed 0 days ago, not confirmed',
    );
    expect(line(headOf({ ...said, status: 'superseded' }), [groupOf('entity', 3, 2)])).toBe(
      'Superseded Rule from 2026-03-12: Something that is said — with 3 entities (of which 2 proposed); ' +
        'last reviewed 220 days ago',
    );
    expect(line(headOf({ ...said, date: '2026-03-12T22:30:00Z' }), [], 0, 'Asia/Tokyo')).toContain('from 2026-03-13: ');
  });
});

const PART = [
  '1 meeting|1 mail',
  '1 mail in thread|[2-9]\\d* mails in thread|1\\d+ mails in thread',
  '(?:1 attachment|\\d+ attachments)(?: \\([1-9]\\d* unread\\))?',
  '1 entity|\\d+ entities',
  'replaces [a-z0-9-]+-\\d{4,}',
  'superseded by [a-z0-9-]+-\\d{4,}',
  '1 contradicting rule|\\d+ contradicting rules',
  '1 related rule|\\d+ related rules',
];
const ANY_PART = PART.map(one => `(?:${one})`).join('|');
const TAIL = new RegExp(
  `^(?: — with (?:${ANY_PART})(?:, (?:${ANY_PART}))*(?: \\(of which [1-9]\\d* proposed\\))?)?; ` +
    '(?:last reviewed (?:1 day|\\d+ days) ago(?:, still valid\\?)?|proposed (?:1 day|\\d+ days) ago, not confirmed)$',
  'u',
);
const LABEL = /^(?:Unconfirmed |Superseded )?(?:Rule|Note) from \d{4}-\d{2}-\d{2}: $/u;

test('[RU85] whatever belongs to a rule and whatever it says, the line has the form of the contract', async () => {
  const groups = fc
    .subarray([...GROUPS])
    .chain(kinds =>
      fc.tuple(...kinds.map(kind => fc.tuple(fc.constant(kind), fc.integer({ min: 1, max: 40 }), fc.nat(5)))),
    )
    .map(made =>
      made.map(([kind, count, proposed]) =>
        groupOf(kind, ['source', 'predecessor', 'successor'].includes(kind) ? 1 : count, proposed),
      ),
    );
  const head = fc.record({
    title: fc.string({ unit: 'grapheme', minLength: 10, maxLength: 80 }),
    kind: fc.constantFrom('rule' as const, 'note' as const),
    status: fc.constantFrom('confirmed' as const, 'proposed' as const, 'superseded' as const),
    age_days: fc.nat(5000),
    recheck: fc.constantFrom('still valid?' as const, null),
  });
  const property = fc.property(head, groups, fc.nat(9), (over, all, unread) => {
    const shown = headOf({ ...over, recheck: over.status === 'confirmed' ? over.recheck : null });
    const text = line(shown, all, unread);
    const at = text.indexOf(': ') + 2;
    return (
      LABEL.test(text.slice(0, at)) &&
      text.slice(at, at + over.title.length) === over.title &&
      TAIL.test(text.slice(at + over.title.length))
    );
  });
  expect(await counterexample(property, 500)).toBeUndefined();
});
