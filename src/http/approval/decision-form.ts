import type { RuleView, VersionView } from './ports.ts';
import { instantOf, localOf } from './times.ts';

type Fields = ReadonlyMap<string, string>;

/** What a form carries unseen: who it was made for, what it decides, and what was shown. */
export const hiddenFields = (rule: RuleView, decision: string, csrf: string): Readonly<Record<string, string>> => ({
  csrf,
  decision,
  version: String(rule.version.version),
  shown_sha256: rule.shown_sha256,
});

const ABOUT_THE_FORM = new Set(['csrf', 'shown_sha256', 'decision', 'version', 'reason']);
/** Decisions that may leave out the reason, and that may change something. */
const GENTLE: ReadonlySet<unknown> = new Set(['confirm', 'review']);

/** One field of one relation, counted from 1. */
export const relationField = (index: number, part: 'kind' | 'name' | 'ref'): string => `relation_${index}_${part}`;
const RELATION_FIELD = /^relation_(\d{1,2})_(kind|name|ref)$/;

/**
 * The body of a decision as a form says it. `change` names only what differs from `seen`, the version that was shown;
 * fields that no form of ours has go along, so that the op refuses them.
 */
export function decisionOf(fields: Fields, seen: VersionView, zone: string): Readonly<Record<string, unknown>> {
  const decision = fields.get('decision');
  const sent = [...fields].filter(([name]) => !ABOUT_THE_FORM.has(name));
  const rest = sent.filter(([name]) => !RELATION_FIELD.test(name));
  const reason = plain(fields.get('reason') ?? '').trim();
  const changed = rest.map(([name, text]) => [name, valueOf(name, plain(text), seen, zone)] as const);
  const relations = rest.length < sent.length ? relationsOf(fields, seen) : UNCHANGED;
  const change = Object.fromEntries(
    [...changed, ['relations', relations] as const].filter(([, value]) => value !== UNCHANGED),
  );
  return {
    decision,
    version: wholeNumber(fields.get('version')),
    ...(reason === '' && GENTLE.has(decision) ? {} : { reason }),
    ...(!GENTLE.has(decision) ? Object.fromEntries(sent) : Object.keys(change).length > 0 ? { change } : {}),
  };
}

const UNCHANGED = Symbol('unchanged');

/** The rows whose name is filled in, in their order. */
function relationsOf(fields: Fields, seen: VersionView): unknown {
  const numbers = [...fields.keys()].flatMap(name => RELATION_FIELD.exec(name)?.[1] ?? []).map(Number);
  const rows = [...new Set(numbers)]
    .toSorted((a, b) => a - b)
    .map(number => {
      const part = (name: 'kind' | 'name' | 'ref'): string => oneLine(fields.get(relationField(number, name)) ?? '');
      // Whoever reads the form without its choices leaves the kind as it stands.
      const kind = part('kind') || (seen.relations[number - 1]?.kind ?? '');
      return { kind, name: part('name'), ref: part('ref') || null };
    });
  const given = rows.filter(row => row.name !== '');
  const before = seen.relations.map(({ kind, name, ref }) => ({
    kind,
    name: oneLine(name),
    ref: ref && oneLine(ref),
  }));
  return JSON.stringify(given) === JSON.stringify(before) ? UNCHANGED : given;
}

function valueOf(name: string, text: string, seen: VersionView, zone: string): unknown {
  switch (name) {
    case 'statement':
    case 'kind':
    case 'valid_from':
      return text === plain(seen[name]) ? UNCHANGED : text.trim();
    case 'supersedes':
      return text.trim() === (seen.supersedes ?? '') ? UNCHANGED : text.trim() || null;
    case 'speaker':
      return oneLine(text) === oneLine(seen.speaker ?? '') ? UNCHANGED : text.trim() || null;
    case 'keywords':
      return text === plain(seen.keywords.join(', ')) ? UNCHANGED : keywordsOf(text);
    case 'said_at': {
      // Compared as the form shows it: in autumn one time of the clock stands for two instants.
      const instant = instantOf(text, zone) ?? text;
      return instant === instantOf(localOf(seen.said_at, zone), zone) || text === seen.said_at ? UNCHANGED : instant;
    }
    default:
      return text;
  }
}

const keywordsOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== ''),
  ),
];

/** As a field of one line holds it: browsers leave line breaks out there. */
const oneLine = (text: string): string => text.replace(/[\r\n]/g, '').trim();

/** Browsers send every line break as CR LF. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n');

const wholeNumber = (text: string | undefined): unknown =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
