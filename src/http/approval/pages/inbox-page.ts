import { html } from 'hono/html';
import type { InboxFilter, ScopeView, WaitingView } from '../ports.ts';
import { rulePath, time } from './badge.ts';
import { inline, shown, type Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';
import { scopeChoice } from './scope-choice.ts';

export interface InboxPage {
  readonly scopes: readonly ScopeView[];
  /** Every scope of the grant, to choose from. */
  readonly granted: readonly string[];
  readonly filter: InboxFilter;
}

/** What waits for a decision, scope by scope. */
export function inboxPage(frame: Frame, { scopes, granted, filter }: InboxPage): Html {
  const { words } = frame;
  const all = scopes.reduce((sum, { waiting }) => sum + waiting, 0);
  const filtered = filter.scope !== undefined || filter.text !== undefined;
  return page(frame, {
    title: words.inboxTitle,
    class: 'inbox',
    at: 'inbox',
    main: html`
      <div class="page-head">
        <h1>${words.inboxTitle}</h1>
        <p class="lead">${filtered ? words.waitingFiltered(all) : words.waitingInAll(all)}</p>
      </div>
      ${filterForm(frame, granted, filter, filtered)} ${scopes.map(scope => section(frame, scope, filtered))}
    `,
  });
}

function filterForm(frame: Frame, granted: readonly string[], filter: InboxFilter, filtered: boolean): Html {
  const { words } = frame;
  return html`<form class="filter" method="get" action="/approval" role="search" aria-label="${words.filterLabel}">
    ${scopeChoice(frame, granted, filter.scope, true)}
    <div class="field grows">
      <label for="text">${words.filterText}</label>
      <input id="text" name="text" type="search" maxlength="200" dir="auto" value="${filter.text ?? ''}" />
    </div>
    <div class="actions">
      <button>${words.filter}</button>
      ${filtered ? html`<a class="button quiet" href="/approval">${words.filterClear}</a>` : ''}
    </div>
  </form>`;
}

function section(frame: Frame, { scope, locked, waiting, counts, proposals }: ScopeView, filtered: boolean): Html {
  const { words } = frame;
  return html`<section class="scope" aria-labelledby="scope-${scope}">
    <h2 id="scope-${scope}">${scope} ${locked ? '' : html`<span class="count">${words.waiting(waiting)}</span>`}</h2>
    ${counts ? standing(frame, scope, counts) : ''}
    ${
      locked
        ? html`<p class="notice warning">${words.lockedScope}</p>`
        : waiting === 0
          ? html`<p class="empty">
              ${filtered ? words.nothingFits : html`${words.nothingWaits} ${words.nothingWaitsMore}`}
            </p>`
          : html`<ol class="cards">
              ${proposals.map(proposal => card(frame, proposal))}
            </ol>`
    }
    ${proposals.length < waiting ? html`<p class="more">${words.moreThanShown(proposals.length, waiting)}</p>` : ''}
  </section>`;
}

/** How the scope stands, with the ways to all of it. */
const standing = ({ words }: Frame, scope: string, counts: NonNullable<ScopeView['counts']>): Html =>
  html`<p class="meta standing">
    ${counts.due === 0 ? '' : html`<a class="due" href="/approval/recheck?scope=${scope}">${words.due(counts.due)}</a>`}
    <span>${words.confirmedCount(counts.confirmed)}</span> <span>${words.supersededCount(counts.superseded)}</span>
    <a href="/approval/rejected?scope=${scope}">${words.rejectedCount(counts.rejected)}</a>
    <a href="/approval/export/${scope}">${words.exportLink}</a>
  </p>`;

function card({ words, times }: Frame, proposal: WaitingView): Html {
  const { source, supersedes } = proposal;
  return html`<li class="card">
    <h3 dir="auto"><a href="${rulePath(proposal.rule_id)}">${shown(proposal.statement)}</a></h3>
    <blockquote class="foreign clamped" dir="auto">${shown(source.quote)}</blockquote>
    <p class="meta">
      <span class="badge">${words.kind[proposal.kind]}</span>
      <span class="ref">${proposal.rule_id}</span>
      <span
        >${words.sourceKind[source.kind]}${proposal.speaker === null ? '' : html`, ${inline(proposal.speaker)}`},
        ${time(proposal.said_at, times.instant(proposal.said_at))}</span
      >
      <span>${words.proposedAgo(times.ago(proposal.created_at))}</span>
      ${supersedes === null ? '' : html`<span class="replaces">${words.wouldReplace(supersedes)}</span>`}
    </p>
  </li>`;
}
