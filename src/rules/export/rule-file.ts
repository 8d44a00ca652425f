import type { RuleVersion, StoredDecision } from '../model.ts';
import { facts, file, inline, quoted, table } from './markdown.ts';
import type { ExportedRule, ExportedSource } from './ports.ts';

/** `<rule-id>.md`: what the rule says now, its evidence, every version and every decision. The same rule gives the same text. */
export function ruleFile(
  { id, createdAt, createdBy, versions, decisions }: ExportedRule,
  source: ExportedSource,
): string {
  const current = versions.at(-1)!;
  return file(
    `# ${id}`,
    quoted(current.statement),
    facts([
      ['Status', current.status],
      ['Version', String(current.version)],
      ['Kind', current.kind],
      ...contentOf(current),
      ['Proposed', `${createdAt} by ${inline(createdBy)}`],
    ]),
    '## Source',
    quoted(current.quote),
    facts([
      ['Id', inline(source.id)],
      ['Title', inline(source.title)],
      ['Sender', inline(source.sender)],
      ['When', inline(source.occurredAt)],
      ['Second', current.timestampS === null ? '–' : String(current.timestampS)],
      ['Link of the quote', inline(current.sourceLink)],
      ['SHA-256 of the text', inline(source.fulltextSha256)],
    ]),
    '## History',
    ...versions.map(versionPart),
    '## Decisions',
    decisions.length === 0 ? 'None.' : decisionTable(decisions.map(one => ({ ...one, ruleId: id }))),
  );
}

const versionPart = (version: RuleVersion): string =>
  file(
    `### Version ${version.version}: ${version.status}`,
    quoted(version.statement),
    facts([
      ['Kind', version.kind],
      ...contentOf(version),
      ['Changed', `${version.changedAt} by ${inline(version.changedBy)}`],
      ['Reason', inline(version.reason)],
    ]),
  ).trimEnd();

const contentOf = (version: RuleVersion): readonly (readonly [string, string])[] => [
  ['Holds from', version.validFrom],
  ['Holds until', version.validUntil ?? '–'],
  ['Replaces', version.supersedes ?? '–'],
  ['Replaced by', version.supersededBy ?? '–'],
  ['Said', `${version.saidAt}${version.speaker === null ? '' : ` by ${inline(version.speaker)}`}`],
  [
    'Relations',
    listed(version.relations.map(({ kind, name, ref }) => `${kind} ${name}${ref === null ? '' : ` (${ref})`}`)),
  ],
  ['Keywords', listed(version.keywords)],
];

const listed = (all: readonly string[]): string => (all.length === 0 ? '–' : all.map(inline).join(', '));

/** One row a decision, with the identity of who decided. */
export const decisionTable = (decisions: readonly (StoredDecision & { readonly ruleId: string })[]): string =>
  table(
    ['When', 'Rule', 'Decision', 'Version seen', 'Version made', 'Who', 'Grant', 'Origin', 'Mode', 'Reason'],
    decisions.map(one => [
      one.decided_at,
      one.ruleId,
      one.kind,
      String(one.version),
      one.new_version === null ? '–' : String(one.new_version),
      inline(one.decided_by_identity),
      inline(one.decided_by),
      one.origin,
      one.mode,
      inline(one.reason),
    ]),
  );
