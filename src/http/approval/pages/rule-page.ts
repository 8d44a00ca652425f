import { html } from 'hono/html';
import type { DecisionView, RuleView } from '../ports.ts';
import { ruleLink, statusBadge } from './badge.ts';
import { hidesSomething, shown, type Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';
import { details, evidence } from './rule-evidence.ts';
import type { Typed } from './fields.ts';
import { decideForms, problem } from './rule-forms.ts';
import { alike, history, replacement } from './rule-more.ts';
import { standingForms } from './standing-forms.ts';

export interface RulePage {
  readonly rule: RuleView;
  /** Show the whole mail, not only what is around the quote. */
  readonly wholeMail: boolean;
  /** A refused form, to be corrected. */
  readonly refused?: Typed | undefined;
}

/** Everything about a rule, and the forms to decide with while it is proposed or confirmed. */
export function rulePage(frame: Frame, { rule, wholeMail, refused }: RulePage): Html {
  const { words, times } = frame;
  const { version } = rule;
  const open = version.status === 'proposed';
  const standing = version.status === 'confirmed';
  const decidable = open || standing;
  const foreign = [version.statement, version.source.quote, version.speaker, rule.source.title, rule.source.sender];
  return page(frame, {
    title: version.rule_id,
    class: 'rule',
    main: html`
      <div class="page-head">
        ${refused ? problem(frame, refused) : ''}
        <p class="meta">
          ${statusBadge(words, version.status)} <span class="badge">${words.kind[version.kind]}</span>
          <span class="ref">${version.rule_id}</span> <span>${words.version(version.version)}</span>
          ${open ? html`<span>${words.proposedAgo(times.ago(rule.history[0]!.changed_at))}</span>` : ''}
        </p>
        <h1 dir="auto" class="statement">${shown(version.statement)}</h1>
        ${open ? '' : outcome(frame, rule)} ${rule.standing?.due ? dueNotice(frame, rule.standing.age_days) : ''}
        ${decidable ? html`<p class="jump"><a href="#decide-title">${words.decide}</a></p>` : ''}
        ${
          hidesSomething([...foreign, ...version.keywords])
            ? html`<p class="notice warning" role="note">${words.hiddenCharacters}</p>`
            : ''
        }
      </div>
      ${replacement(frame, rule)}
      <div class="columns ${decidable ? 'open' : ''}">
        <div class="reading">${evidence(frame, rule, wholeMail)} ${alike(frame, rule)}</div>
        ${open ? decideForms(frame, rule, refused) : standing ? standingForms(frame, rule, refused) : ''}
        <div class="more-about">${details(frame, rule)} ${history(frame, rule)}</div>
      </div>
    `,
  });
}

const dueNotice = ({ words }: Frame, days: number): Html =>
  html`<p class="notice warning" role="note">${words.stillValid} ${words.lastReviewed(days)}</p>`;

/** How it came to be what it is now. */
function outcome({ words, times }: Frame, { version, decisions }: RuleView): Html {
  const last = decisions.findLast(({ kind }) => kind !== 'review' || version.status === 'confirmed');
  const { valid_until: until, superseded_by: successor } = version;
  return html`<div class="notice ${version.status}" role="status">
    ${last ? html`<p>${decidedAs(words, times, last)}</p>` : ''}
    ${
      successor !== null && until !== null
        ? html`<p>${words.supersededSince(successor, times.day(until))} ${ruleLink(successor)}</p>`
        : until !== null
          ? html`<p>${words.heldUntil(times.day(until))}</p>`
          : ''
    }
    ${last?.reason ? html`<p class="foreign" dir="auto">${shown(last.reason)}</p>` : ''}
    <p><a href="/approval">${words.backToInbox}</a></p>
  </div>`;
}

const decidedAs = (words: Frame['words'], times: Frame['times'], one: DecisionView): string =>
  words.decidedAs[one.kind](one.decided_by_identity, times.instant(one.decided_at));
