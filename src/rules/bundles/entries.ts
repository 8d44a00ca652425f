import type { Attachment, RuleVersion, SourceFacts } from '../model.ts';
import { versionRef } from '../refs.ts';
import { attachmentRef } from '../sources/source-out.ts';
import type { Entry, Group } from './schema.ts';

const EXCERPT = 300;
/** Entries of a group that are shown. */
export const SHOWN = 5;

const computed = { origin: 'deterministic', proposed: false } as const;

/** How a text begins: at most 300 characters, the last one `…` when there is more. */
export function beginning(text: string | null): string | null {
  if (text === null || text.length <= EXCERPT) return text;
  return `${text.slice(0, EXCERPT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export const ruleEntry = (version: RuleVersion): Entry => ({
  ref: versionRef(version.ruleId, version.version),
  kind: version.kind,
  date: version.saidAt,
  title: version.statement,
  excerpt: version.quote,
  link: version.sourceLink,
  ...computed,
});

/** A mail or meeting; never a source of own words. */
export const sourceEntry = (source: SourceFacts, start: string | null): Entry => ({
  ref: `source/${source.id}`,
  kind: source.kind === 'mail' ? 'mail' : 'meeting',
  date: source.occurredAt!,
  title: source.title!,
  excerpt: beginning(start),
  link: source.link,
  ...computed,
});

/** `n` counts from 1. */
export const attachmentEntry = (source: SourceFacts, attachment: Attachment, n: number): Entry => ({
  ref: attachmentRef(source.id, n),
  kind: 'attachment',
  date: source.occurredAt!,
  title: attachment.filename,
  excerpt: beginning(attachment.text),
  link: null,
  ...computed,
});

/**
 * A group of what there is: the newest five, ties by ref; none when there is nothing (contract 8). `count`: how many there are
 * when `all` are the newest only.
 */
export function groupOf(kind: Group['kind'], all: readonly Entry[], count = all.length): Group[] {
  if (all.length === 0) return [];
  const entries = all.toSorted(newestFirst).slice(0, SHOWN);
  return [{ kind, count, entries, more: count - entries.length }];
}

/** The order of a group: by date, the newest first, ties by ref. */
export const newestFirst = (a: Entry, b: Entry): number =>
  Date.parse(b.date) - Date.parse(a.date) || (a.ref < b.ref ? -1 : a.ref > b.ref ? 1 : 0);
