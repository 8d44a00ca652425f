import type { Status } from '../schema.ts';
import { facts, file, inline, table } from './markdown.ts';
import type { ExportedFile, ExportedRule, ExportView, ScopeSnapshot } from './ports.ts';
import { decisionTable, ruleFile } from './rule-file.ts';

const STATUSES: readonly Status[] = ['proposed', 'confirmed', 'superseded', 'rejected'];

/**
 * The Markdown files of a scope (contract 4.4, rules-gaps 9). The same snapshot gives the same text but for `generated_at` in
 * README.md, so that files of single rules can be compared.
 */
export function buildExport(snapshot: ScopeSnapshot, view: ExportView): readonly ExportedFile[] {
  const { scope, rules } = snapshot;
  const sources = new Map(snapshot.sources.map(source => [source.id, source]));
  const files = [
    { name: 'README.md', text: readme(snapshot, view) },
    { name: 'decisions.md', text: decisions(rules) },
    { name: 'entities.md', text: entities(snapshot) },
    { name: 'index.md', text: index(rules) },
    { name: 'sources.md', text: sourceList(snapshot) },
    ...rules.map(rule => ({
      name: `${rule.id}.md`,
      text: ruleFile(rule, sources.get(rule.versions.at(-1)!.sourceId)!),
    })),
  ];
  return files.map(({ name, text }) => ({ path: `${scope}/${name}`, text }));
}

const current = (rule: ExportedRule) => rule.versions.at(-1)!;

function readme(
  { scope, rules, sources, entities: known }: ScopeSnapshot,
  { instance, zone, now }: ExportView,
): string {
  const count = (status: Status): string => String(rules.filter(rule => current(rule).status === status).length);
  return file(
    `# ${scope}`,
    facts([
      ['instance', instance],
      ['scope', scope],
      ['zone', zone],
      ['generated_at', now.toISOString()],
    ]),
    '## Counts',
    facts([
      ...STATUSES.map(status => [status, count(status)] as const),
      ['rule versions', String(rules.reduce((sum, { versions }) => sum + versions.length, 0))],
      ['decisions', String(rules.reduce((sum, rule) => sum + rule.decisions.length, 0))],
      ['sources', String(sources.length)],
      ['entities', String(known.length)],
    ]),
  );
}

const index = (rules: readonly ExportedRule[]): string =>
  file(
    '# Rules by status',
    ...STATUSES.flatMap(status => {
      const fitting = rules.map(current).filter(one => one.status === status);
      return [
        `## ${status} (${fitting.length})`,
        fitting.map(one => `- [${one.ruleId}](${one.ruleId}.md) ${inline(one.statement)}`).join('\n'),
      ];
    }),
  );

function decisions(rules: readonly ExportedRule[]): string {
  const all = rules.flatMap(({ id, decisions: made }) => made.map(one => ({ ...one, ruleId: id })));
  // Stable: decisions of one moment stay in the order of their rules.
  const ordered = all.toSorted((a, b) => (a.decided_at < b.decided_at ? -1 : a.decided_at > b.decided_at ? 1 : 0));
  return file('# Decisions', ordered.length === 0 ? 'None.' : decisionTable(ordered));
}

const sourceList = ({ sources }: ScopeSnapshot): string =>
  file(
    '# Sources',
    ...sources.flatMap(source => [
      `## ${inline(source.id)}`,
      facts([
        ['Kind', source.kind],
        ['Title', inline(source.title)],
        ['Sender', inline(source.sender)],
        ['When', inline(source.occurredAt)],
        ['Thread', inline(source.thread)],
        ['Link', inline(source.link)],
        ['SHA-256 of the text', inline(source.fulltextSha256)],
        ['Characters', source.textChars === null ? '–' : String(source.textChars)],
        ['Segments', source.segmentCount === null ? '–' : String(source.segmentCount)],
        ['Stored', `${source.fetchedAt} by ${inline(source.feeder)}`],
      ]),
      source.attachments.length === 0
        ? ''
        : table(
            ['Attachment', 'Media type', 'Bytes', 'Elsewhere', 'Text'],
            source.attachments.map(one => [
              inline(one.filename),
              inline(one.media_type),
              one.size === null ? '–' : String(one.size),
              inline(one.external),
              one.text_origin,
            ]),
          ),
    ]),
  );

const entities = ({ entities: all }: ScopeSnapshot): string =>
  file(
    '# Entities',
    all.length === 0
      ? 'None.'
      : table(
          ['Id', 'Version', 'Name', 'Type', 'Under', 'Aliases', 'Status', 'Confirmed'],
          all.map(one => [
            one.id,
            String(one.version),
            inline(one.name),
            inline(one.type),
            one.parent ?? '–',
            one.aliases.map(inline).join(', '),
            one.status,
            one.confirmed ? 'yes' : 'no',
          ]),
        ),
  );
