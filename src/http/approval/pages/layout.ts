import { html } from 'hono/html';
import type { Language } from '../language.ts';
import { STYLE_PATH } from '../style.ts';
import type { Times } from '../times.ts';
import type { Words } from '../words/en.ts';
import type { Html } from './foreign.ts';

/** What every page is made with. */
export interface Frame {
  readonly language: Language;
  readonly words: Words;
  readonly times: Times;
  readonly instance: string;
  /** Absent: nobody is signed in. `canSignOut` is false where people sign in elsewhere. */
  readonly person?: { readonly identity: string; readonly csrf: string; readonly canSignOut: boolean } | undefined;
}

export interface PageParts {
  readonly title: string;
  readonly main: Html;
  /** A path of ours that the browser goes on to. */
  readonly goesOnTo?: string;
  readonly class?: string;
  /** Which page of the navigation it is. */
  readonly at?: Place;
}

export type Place = 'inbox' | 'recheck' | 'search' | 'rejected';

/** A whole document. */
export function page(frame: Frame, { title, main, goesOnTo, class: name = '', at }: PageParts): Html {
  const { words, language, instance } = frame;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${goesOnTo === undefined ? '' : html`<meta http-equiv="refresh" content="0; url=${goesOnTo}" />`}
        <title>${title} · ${instance} · ${words.product}</title>
        <link rel="stylesheet" href="${STYLE_PATH}" />
      </head>
      <body class="${name}">
        <a class="skip" href="#content">${words.skip}</a>
        ${header(frame, at)}
        <main id="content" tabindex="-1">${main}</main>
      </body>
    </html> `;
}

const PLACES: readonly (readonly [place: Place, path: string])[] = [
  ['inbox', '/approval'],
  ['recheck', '/approval/recheck'],
  ['search', '/approval/search'],
  ['rejected', '/approval/rejected'],
];

function header({ words, instance, person }: Frame, at: Place | undefined): Html {
  const brand = html`${STONES}<span class="product">${words.product}</span> <span class="instance">${instance}</span>`;
  return html`<header class="top">
    ${
      person
        ? html`<a class="brand" href="/approval">${brand}</a>
            <nav aria-label="${words.navigation}">
              ${PLACES.map(
                ([place, path]) =>
                  html`<a href="${path}" ${place === at ? html`aria-current="page"` : ''}>${words.places[place]}</a>`,
              )}
            </nav>
            <div class="person">
              <span class="who"
                ><span class="visually-hidden">${words.signedInAs} </span><bdi>${person.identity}</bdi></span
              >
              ${person.canSignOut ? signOut(words, person.csrf) : ''}
            </div>`
        : html`<div class="brand">${brand}</div>`
    }
  </header>`;
}

const signOut = (words: Words, csrf: string): Html =>
  html`<form method="post" action="/approval/logout">
    <input type="hidden" name="csrf" value="${csrf}" /><button class="quiet">${words.signOut}</button>
  </form>`;

const STONES = html`<svg class="stones" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
  <ellipse cx="12" cy="19" rx="9" ry="3.4" />
  <ellipse cx="12.6" cy="12.2" rx="6.3" ry="2.9" />
  <ellipse cx="11.4" cy="6" rx="3.9" ry="2.5" />
</svg>`;
