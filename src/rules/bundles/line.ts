import type { Calendar } from '../calendar.ts';
import { readRuleRef } from '../refs.ts';
import type { Group, Head } from './schema.ts';

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** The rule in one line for people (contract 8). `unread`: attachments whose text is not known. */
export function lineOf(head: Head, groups: readonly Group[], unread: number, calendar: Calendar): string {
  const marked = { proposed: 'Unconfirmed ', superseded: 'Superseded ', confirmed: '' }[head.status];
  const label = `${marked}${head.kind === 'rule' ? 'Rule' : 'Note'}`;
  const parts = groups.map(group => partOf(group, unread));
  const shownProposals = groups.flatMap(group => group.entries).filter(entry => entry.proposed).length;
  const note = shownProposals > 0 ? ` (of which ${shownProposals} proposed)` : '';
  const company = parts.length > 0 ? ` — with ${parts.join(', ')}${note}` : '';
  return `${label} from ${calendar.dayOf(new Date(head.date))}: ${head.title}${company}; ${review(head)}`;
}

function partOf({ kind, count, entries }: Group, unread: number): string {
  const named = (): string => readRuleRef(entries[0]!.ref).id;
  switch (kind) {
    case 'source':
      return counted(count, entries[0]!.kind);
    case 'thread':
      return `${counted(count, 'mail')} in thread`;
    case 'attachment':
      return counted(count, 'attachment') + (unread > 0 ? ` (${unread} unread)` : '');
    case 'entity':
      return counted(count, 'entity', 'entities');
    case 'predecessor':
      return `replaces ${named()}`;
    case 'successor':
      return `superseded by ${named()}`;
    case 'contradicts':
      return counted(count, 'contradicting rule');
    case 'same-relation':
      return counted(count, 'related rule');
  }
}

function review({ status, age_days: days, recheck }: Head): string {
  const ago = `${counted(days, 'day')} ago`;
  if (status === 'proposed') return `proposed ${ago}, not confirmed`;
  return `last reviewed ${ago}${recheck ? ', still valid?' : ''}`;
}
