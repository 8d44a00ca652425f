import { html } from 'hono/html';
import type { Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';

export interface LoginPage {
  /** Where a person wanted to go. */
  readonly next: string;
  readonly notice?: { readonly kind: 'info' | 'error'; readonly text: string; readonly code?: string } | undefined;
}

/** Signing in with the token of a local set-up. */
export function tokenLoginPage(frame: Frame, { next, notice }: LoginPage): Html {
  const { words } = frame;
  const wrong = notice?.kind === 'error';
  return page(frame, {
    title: words.loginTitle,
    class: 'narrow',
    main: html`<form class="panel" method="post" action="/approval/login">
      ${intro(frame, notice)}
      <input type="hidden" name="next" value="${next}" />
      <input name="username" autocomplete="username" value="${frame.instance}" hidden />
      <div class="field">
        <label for="token">${words.token}</label>
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-describedby="token-hint${wrong ? ' problem' : ''}"
          ${wrong ? 'aria-invalid=true' : ''}
        />
        <p class="hint" id="token-hint">${words.tokenHint}</p>
      </div>
      <div class="actions"><button class="primary">${words.signIn}</button></div>
    </form>`,
  });
}

/** Signing in at an issuer: a link, since a form may not lead to another site. */
export function browserLoginPage(frame: Frame, { next, notice }: LoginPage): Html {
  const { words } = frame;
  return page(frame, {
    title: words.loginTitle,
    class: 'narrow',
    main: html`<div class="panel">
      ${intro(frame, notice)}
      <p class="actions">
        <a class="button primary" href="/approval/login?next=${encodeURIComponent(next)}">${words.signIn}</a>
      </p>
    </div>`,
  });
}

const intro = ({ words }: Frame, notice: LoginPage['notice']): Html => html`
  <h1>${words.loginTitle}</h1>
  <p class="lead">${words.loginLead}</p>
  ${
    notice
      ? html`<p id="problem" class="notice ${notice.kind}" role="${notice.kind === 'error' ? 'alert' : 'status'}">
          ${notice.text} ${notice.code === undefined ? '' : html`<code>${notice.code}</code>`}
        </p>`
      : ''
  }
`;

/**
 * A page of ours that leads on at once. A browser that came from another site brings our strict cookie only with a request
 * that a page of ours caused.
 */
export function onwardPage(frame: Frame, path: string): Html {
  const { words } = frame;
  return page(frame, {
    title: words.oneMoment,
    class: 'narrow',
    goesOnTo: path,
    main: html`<div class="panel">
      <h1>${words.oneMoment}</h1>
      <p class="actions"><a class="button" href="${path}">${words.continue}</a></p>
    </div>`,
  });
}
