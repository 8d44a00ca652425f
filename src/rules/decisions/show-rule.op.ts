import { Failure } from '../../kernel/failure.ts';
import { attachmentEntry, sourceEntry } from '../bundles/entries.ts';
import type { Calendar } from '../calendar.ts';
import type { RuleVersion } from '../model.ts';
import type { RuleReader, SourceReader, StoredRule } from '../ports.ts';
import { scopeOf, versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import type { RuleSearch } from '../search/ports.ts';
import { versionOut } from '../version-out.ts';
import { contextOf } from './context.ts';
import type { RejectedReader } from './ports.ts';
import { RuleShown, ShowInput } from './schema.ts';
import { shownSha256 } from './shown.ts';

export interface ShowRuleDeps {
  readonly rules: RuleReader;
  readonly sources: SourceReader;
  readonly search: RuleSearch;
  readonly rejected: RejectedReader;
  readonly calendar: Calendar;
  readonly recheckAfterDays: number;
}

const ALIKE = 3;

/** A rule of any status as a person who decides sees it. */
export const showRule = defineRuleOp({
  name: 'show_rule',
  surface: 'approval',
  effect: 'read',
  right: 'decide',
  logs: 'read_rule',
  summary: 'Show a rule with its quote in context and everything that bears on a decision.',
  input: ShowInput,
  output: RuleShown,
  touches: ({ id }) => ({ scopes: [scopeOf(id)] }),
  async run(deps: ShowRuleDeps, ctx, { id }) {
    const { rules, sources } = deps;
    const scope = scopeOf(id);
    const rule = await rules.find(scope, id);
    if (!rule) throw new Failure('not-found', 'no such rule');
    const { current } = rule;
    const source = (await sources.facts(scope, current.sourceId))!;
    const evidence = source.kind !== 'manual';
    const auth = await sources.auth(scope, source.id);
    const attachments = await sources.attachments(scope, source.id);
    const thread = source.kind === 'mail' ? await sources.thread(scope, source.thread ?? source.id) : [];
    const replaced = current.supersedes === null ? undefined : await rules.find(scope, current.supersedes);
    const ref = versionRef(id, current.version);
    return {
      status: 200,
      log: [{ scope, refs: [ref] }],
      output: {
        ref,
        shown_sha256: shownSha256(current, source),
        version: versionOut(current),
        standing: current.status === 'confirmed' ? standingOf(deps, rule, ctx.now()) : null,
        source: {
          id: source.id,
          kind: source.kind,
          title: source.title,
          sender: source.sender,
          occurred_at: source.occurredAt,
          link: source.link,
          fetched_at: source.fetchedAt,
          secret_kinds: [...(await sources.secretKinds(scope, source.id))],
          auth: auth ? { ...auth, authentication_results: [...auth.authentication_results] } : null,
        },
        context: await contextOf(deps, scope, current),
        attachments: evidence ? attachments.map((one, index) => attachmentEntry(source, one, index + 1)) : [],
        thread: thread.filter(one => one.id !== source.id).map(one => sourceEntry(one, one.start)),
        replaces: replaced ? versionOut(replaced.current) : null,
        ...(await alikeOf(deps, scope, current, deps.calendar.dayOf(ctx.now()))),
        history: (await rules.versions(scope, id)).map(versionOut),
        decisions: [...(await rules.decisions(scope, id))],
      },
    };
  },
});

function standingOf({ calendar, recheckAfterDays }: ShowRuleDeps, { lastReviewedAt }: StoredRule, now: Date) {
  const ageDays = calendar.daysBetween(new Date(lastReviewedAt), now);
  return { last_reviewed_at: lastReviewedAt, age_days: ageDays, due: ageDays > recheckAfterDays };
}

async function alikeOf({ search, rejected }: ShowRuleDeps, scope: string, rule: RuleVersion, day: string) {
  const asked = { text: rule.statement, given: rule.keywords, day, most: ALIKE + 1, proposals: true, explain: false };
  const { query, heads } = await search.lexical(scope, asked);
  const phrases = query.terms.flatMap(term => term.spellings);
  const refused = await rejected.similar(scope, phrases, ALIKE + 1);
  const others = (versions: readonly RuleVersion[]) =>
    versions
      .filter(one => one.ruleId !== rule.ruleId)
      .slice(0, ALIKE)
      .map(one => ({
        ref: versionRef(one.ruleId, one.version),
        status: one.status,
        statement: one.statement,
        reason: one.reason,
      }));
  return { possible_duplicates: others(heads.map(one => one.rule.current)), rejected_similar: others(refused) };
}
