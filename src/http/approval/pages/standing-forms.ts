import { html } from 'hono/html';
import type { RuleView } from '../ports.ts';
import { actionOf, area, field, fillingOf, hidden, type Typed } from './fields.ts';
import type { Html } from './foreign.ts';
import type { Frame } from './layout.ts';

/** The two forms of a confirmed rule. Both are bound to what is shown here. */
export function standingForms(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words } = frame;
  const revoking = refused?.fields.get('decision') === 'revoke';
  return html`<section class="decide" aria-labelledby="decide-title">
    <h2 id="decide-title">${words.decide}</h2>
    ${reviewForm(frame, rule, revoking ? undefined : refused)}
    ${revokeForm(frame, rule, revoking ? refused : undefined)}
  </section>`;
}

function reviewForm(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words } = frame;
  const { given, wrong } = fillingOf(refused);
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="review">
    <h3>${words.reviewTitle}</h3>
    <p class="quiet-text">${words.reviewLead}</p>
    ${hidden(frame, rule, 'review')}
    ${area({ name: 'keywords', label: words.keywords, value: given('keywords', rule.version.keywords.join(', ')), hint: words.keywordsHint, wrong: wrong('keywords'), rows: 2, required: false })}
    ${field({ name: 'reason', id: 'remark', label: words.confirmReason, value: given('reason', ''), type: 'text', wrong: wrong('reason'), hint: words.confirmReasonHint })}
    <div class="actions"><button class="primary">${words.reviewButton}</button></div>
  </form>`;
}

function revokeForm(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words, times } = frame;
  const { given, wrong } = fillingOf(refused);
  const { valid_from: from } = rule.version;
  const today = times.today > from ? times.today : from;
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="revoke">
    <h3>${words.revokeTitle}</h3>
    <p class="quiet-text">${words.revokeLead}</p>
    ${hidden(frame, rule, 'revoke')}
    ${field({ name: 'valid_until', label: words.validUntil, value: given('valid_until', today), type: 'date', required: true, wrong: wrong('valid_until'), hint: words.validUntilHint, min: from })}
    ${area({ name: 'reason', label: words.rejectReason, value: given('reason', ''), hint: words.revokeReasonHint, wrong: wrong('reason'), rows: 2, required: true })}
    <div class="actions"><button class="danger">${words.revokeButton}</button></div>
  </form>`;
}
