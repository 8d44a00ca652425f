import { html } from 'hono/html';
import type { DueView, RecheckView } from '../ports.ts';
import { rulePath, time } from './badge.ts';
import { inline, shown, type Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';
import { scopeChoice } from './scope-choice.ts';

export interface RecheckPage {
  readonly found: RecheckView;
  readonly granted: readonly string[];
  readonly scope: string | undefined;
}

/** Rules to be asked about again, those first that were handed out most often. */
export function recheckPage(frame: Frame, { found, granted, scope }: RecheckPage): Html {
  const { words } = frame;
  const all = found.scopes.reduce((sum, { due }) => sum + due, 0);
  return page(frame, {
    title: words.recheckTitle,
    at: 'recheck',
    main: html`
      <div class="page-head">
        <h1>${words.recheckTitle}</h1>
        <p class="lead">${words.dueInAll(all)}</p>
      </div>
      ${
        granted.length > 1
          ? html`<form
              class="filter"
              method="get"
              action="/approval/recheck"
              role="search"
              aria-label="${words.filterRecheck}"
            >
              ${scopeChoice(frame, granted, scope, true)}
              <div class="actions"><button>${words.filter}</button></div>
            </form>`
          : ''
      }
      ${found.scopes.map(
        one =>
          html`<section class="scope" aria-labelledby="scope-${one.scope}">
            <h2 id="scope-${one.scope}">${one.scope} <span class="count">${words.due(one.due)}</span></h2>
            ${
              one.due === 0
                ? html`<p class="empty">${words.nothingDue}</p>`
                : html`<ol class="cards">
                    ${one.rules.map(rule => card(frame, rule))}
                  </ol>`
            }
            ${one.rules.length < one.due ? html`<p class="more">${words.moreDue(one.rules.length, one.due)}</p>` : ''}
          </section>`,
      )}
    `,
  });
}

const card = ({ words, times }: Frame, rule: DueView): Html =>
  html`<li class="card">
    <h3 dir="auto"><a href="${rulePath(rule.rule_id)}#review">${shown(rule.statement)}</a></h3>
    <blockquote class="foreign clamped" dir="auto">${shown(rule.source.quote)}</blockquote>
    <p class="meta">
      <span class="ref">${rule.rule_id}</span>
      <span
        >${words.lastReviewed(rule.age_days)} ${time(rule.last_reviewed_at, times.instant(rule.last_reviewed_at))}</span
      >
      <span class="served">${words.served(rule.served)}</span>
      ${rule.speaker === null ? '' : html`<span>${inline(rule.speaker)}</span>`}
    </p>
  </li>`;
