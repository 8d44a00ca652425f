import { html } from 'hono/html';
import type { FoundView, VersionView } from '../ports.ts';
import { rulePath, statusBadge, time } from './badge.ts';
import { inline, shown, type Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';
import { rejectedCards } from './rejected-page.ts';
import { scopeChoice } from './scope-choice.ts';

export interface SearchPage {
  readonly granted: readonly string[];
  readonly scope: string | undefined;
  readonly text: string;
  /** As typed; empty: today. */
  readonly day: string;
  readonly proposals: boolean;
  /** Missing as long as nothing was asked for. */
  readonly found?:
    | {
        readonly bundles: FoundView['bundles'];
        readonly rejected: readonly VersionView[];
        /** Scopes that could not be searched. */
        readonly locked: readonly string[];
      }
    | undefined;
}

/** The search of agents, with proposals and what was rejected. */
export function searchPage(frame: Frame, { granted, scope, text, day, proposals, found }: SearchPage): Html {
  const { words } = frame;
  return page(frame, {
    title: words.searchTitle,
    at: 'search',
    main: html`
      <div class="page-head">
        <h1>${words.searchTitle}</h1>
        <p class="lead">${words.searchLead}</p>
      </div>
      <form class="filter" method="get" action="/approval/search" role="search" aria-label="${words.searchTitle}">
        <div class="field whole">
          <label for="text">${words.searchText}</label>
          <input id="text" name="text" type="search" maxlength="2000" required dir="auto" value="${text}" />
        </div>
        ${scopeChoice(frame, granted, scope, granted.length > 1)}
        <div class="field">
          <label for="day">${words.searchDay}</label>
          <input id="day" name="day" type="date" value="${day}" />
        </div>
        <div class="field">
          <label for="with">${words.searchWith}</label>
          <select id="with" name="with">
            <option value="all" ${proposals ? 'selected' : ''}>${words.searchAll}</option>
            <option value="confirmed" ${proposals ? '' : 'selected'}>${words.searchConfirmed}</option>
          </select>
        </div>
        <div class="actions"><button class="primary">${words.searchButton}</button></div>
      </form>
      ${found ? results(frame, found) : ''}
    `,
  });
}

function results(frame: Frame, { bundles, rejected, locked }: NonNullable<SearchPage['found']>): Html {
  const { words } = frame;
  return html`${locked.length === 0 ? '' : html`<p class="notice warning">${words.notSearched(locked.join(', '))}</p>`}
    <section class="scope" aria-labelledby="found-title">
      <h2 id="found-title">${words.found} <span class="count">${bundles.length}</span></h2>
      ${
        bundles.length === 0
          ? html`<p class="empty">${words.nothingFound}</p>`
          : html`<ol class="cards">
              ${bundles.map(({ head }) => card(frame, head))}
            </ol>`
      }
    </section>
    ${
      rejected.length === 0
        ? ''
        : html`<section class="scope" aria-labelledby="rejected-title">
            <h2 id="rejected-title">${words.rejectedTitle} <span class="count">${rejected.length}</span></h2>
            ${rejectedCards(frame, rejected)}
          </section>`
    }`;
}

function card({ words, times }: Frame, head: FoundView['bundles'][number]['head']): Html {
  const id = head.ref.slice('rule/'.length).split('@')[0]!;
  return html`<li class="card">
    <h3 dir="auto"><a href="${rulePath(id)}">${shown(head.title)}</a></h3>
    <blockquote class="foreign clamped" dir="auto">${shown(head.source.quote)}</blockquote>
    <p class="meta">
      ${statusBadge(words, head.status)} <span class="badge">${words.kind[head.kind]}</span>
      <span class="ref">${id}</span>
      <span>${words.validFrom} ${time(head.valid_from, times.day(head.valid_from))}</span>
      ${head.valid_until === null ? '' : html`<span>${words.until} ${time(head.valid_until, times.day(head.valid_until))}</span>`}
      ${head.coverage === null ? '' : html`<span>${words.coverage(Math.round(head.coverage * 100))}</span>`}
      ${head.recheck === null ? '' : html`<span class="badge proposed">${words.stillValid}</span>`}
    </p>
    ${head.found_via.length === 0 ? '' : html`<p class="quiet-text">${words.foundVia} ${head.found_via.map((via, at) => html`${at === 0 ? '' : ', '}${inline(via)}`)}</p>`}
  </li>`;
}
