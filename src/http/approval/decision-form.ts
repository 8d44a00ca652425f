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

/**
 * The body of a decision as a form says it. `change` names only what differs from `seen`, the version that was shown;
 * fields that no form of ours has go along, so that the op refuses them.
 */
export function decisionOf(fields: Fields, seen: VersionView, zone: string): Readonly<Record<string, unknown>> {
  const decision = fields.get('decision');
  const rest = [...fields].filter(([name]) => !ABOUT_THE_FORM.has(name));
  const reason = plain(fields.get('reason') ?? '').trim();
  const change = Object.fromEntries(
    rest.flatMap(([name, text]) => {
      const value = valueOf(name, plain(text), seen, zone);
      return value === UNCHANGED ? [] : [[name, value]];
    }),
  );
  return {
    decision,
    version: wholeNumber(fields.get('version')),
    ...(reason === '' && decision === 'confirm' ? {} : { reason }),
    ...(decision !== 'confirm' ? Object.fromEntries(rest) : Object.keys(change).length > 0 ? { change } : {}),
  };
}

const UNCHANGED = Symbol('unchanged');

function valueOf(name: string, text: string, seen: VersionView, zone: string): unknown {
  switch (name) {
    case 'statement':
    case 'kind':
    case 'valid_from':
      return text === plain(seen[name]) ? UNCHANGED : text.trim();
    case 'speaker':
      return text === plain(seen.speaker ?? '') ? UNCHANGED : text.trim() || null;
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

/** Browsers send every line break as CR LF. */
const plain = (text: string): string => text.replace(/\r\n?/g, '\n');

const wholeNumber = (text: string | undefined): unknown =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text;
