import { html } from 'hono/html';
import type { RejectedView, VersionView } from '../ports.ts';
import { rulePath, time } from './badge.ts';
import { shown, type Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';
import { scopeChoice } from './scope-choice.ts';

export interface RejectedPage {
  readonly found: RejectedView;
  readonly granted: readonly string[];
  readonly scope: string;
  readonly q: string;
}

/** What people rejected in a scope, the newest first, with the reason. */
export function rejectedPage(frame: Frame, { found, granted, scope, q }: RejectedPage): Html {
  const { words } = frame;
  const older = new URLSearchParams({ scope, ...(q === '' ? {} : { q }), after: found.next ?? '' });
  return page(frame, {
    title: words.rejectedTitle,
    at: 'rejected',
    main: html`
      <div class="page-head">
        <h1>${words.rejectedTitle}</h1>
        <p class="lead">${words.rejectedLead}</p>
      </div>
      <form class="filter" method="get" action="/approval/rejected" role="search" aria-label="${words.filterRejected}">
        ${scopeChoice(frame, granted, scope, false)}
        <div class="field grows">
          <label for="q">${words.rejectedText}</label>
          <input id="q" name="q" type="search" maxlength="500" dir="auto" value="${q}" />
        </div>
        <div class="actions"><button>${words.filter}</button></div>
      </form>
      ${
        found.rules.length === 0
          ? html`<p class="empty">${q === '' ? words.nothingRejected : words.nothingFits}</p>`
          : rejectedCards(frame, found.rules)
      }
      ${found.next === null ? '' : html`<p class="more"><a class="button" href="/approval/rejected?${older.toString()}">${words.older}</a></p>`}
    `,
  });
}

/** Each with why and when. */
export const rejectedCards = ({ words, times }: Frame, rules: readonly VersionView[]): Html =>
  html`<ol class="cards">
    ${rules.map(
      rule =>
        html`<li class="card">
          <h3 dir="auto"><a href="${rulePath(rule.rule_id)}">${shown(rule.statement)}</a></h3>
          <p class="foreign because" dir="auto">${shown(rule.reason)}</p>
          <p class="meta">
            <span class="badge rejected">${words.status.rejected}</span> <span class="ref">${rule.rule_id}</span>
            ${time(rule.changed_at, times.instant(rule.changed_at))}
          </p>
        </li>`,
    )}
  </ol>`;
