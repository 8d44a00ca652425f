import type { RuleVersion } from '../model.ts';
import type { RuleReader, SourceReader, StoredRule } from '../ports.ts';
import type { Found } from '../search/answer.ts';
import { attachmentEntry, groupOf, SHOWN, ruleEntry, sourceEntry } from './entries.ts';
import { headOf, type HeadView } from './head.ts';
import { lineOf } from './line.ts';
import type { Bundle, Entry } from './schema.ts';

export interface BundleParts {
  readonly rules: Pick<RuleReader, 'find' | 'sharing'>;
  readonly sources: Pick<SourceReader, 'facts' | 'attachments' | 'thread' | 'opening'>;
}

/** A rule version with everything that belongs to it (contract 8, rules-gaps 13). `day`: which related rules hold. */
export async function bundleOf(
  parts: BundleParts,
  version: RuleVersion,
  rule: Pick<StoredRule, 'lastReviewedAt'>,
  view: HeadView & { readonly day: string },
  found?: Found,
): Promise<Bundle> {
  const evidence = await evidenceOf(parts, version, view.scope);
  const neighbours = await neighboursOf(parts, version, view);
  const head = headOf(version, rule, view, found);
  const groups = [...evidence.groups, ...neighbours];
  return { head, groups, line: lineOf(head, groups, evidence.unread, view.calendar) };
}

async function evidenceOf({ sources }: BundleParts, { sourceId }: RuleVersion, scope: string) {
  const source = await sources.facts(scope, sourceId);
  if (!source || source.kind === 'manual') return { groups: [], unread: 0 };
  const attachments = await sources.attachments(scope, sourceId);
  // The first mail of a thread often names none.
  const thread = source.kind === 'mail' ? await sources.thread(scope, source.thread ?? source.id) : [];
  const others = thread.filter(mail => mail.id !== sourceId);
  return {
    groups: [
      ...groupOf('source', [sourceEntry(source, await sources.opening(scope, sourceId))]),
      ...groupOf(
        'thread',
        others.map(mail => sourceEntry(mail, mail.start)),
      ),
      ...groupOf(
        'attachment',
        attachments.map((one, index) => attachmentEntry(source, one, index + 1)),
      ),
    ],
    unread: attachments.filter(one => one.text_origin === 'none').length,
  };
}

async function neighboursOf(
  { rules }: BundleParts,
  version: RuleVersion,
  { scope, day }: { readonly scope: string; readonly day: string },
) {
  const entries = async (ruleId: string | null): Promise<Entry[]> => {
    const rule = ruleId === null ? undefined : await rules.find(scope, ruleId);
    return rule && rule.current.status !== 'rejected' ? [ruleEntry(rule.current)] : [];
  };
  const listed = new Set([version.ruleId, version.supersedes, version.supersededBy]);
  const sharing = (await rules.sharing(scope, version.relations, day)).filter(id => !listed.has(id));
  const related = await Promise.all(sharing.slice(0, SHOWN).map(id => entries(id)));
  return [
    ...groupOf('predecessor', await entries(version.supersedes)),
    ...groupOf('successor', await entries(version.supersededBy)),
    ...groupOf('same-relation', related.flat(), sharing.length),
  ];
}
