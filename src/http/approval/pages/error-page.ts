import { html } from 'hono/html';
import type { Failure } from '../../../kernel/failure.ts';
import type { Words } from '../words/en.ts';
import { rulePath } from './badge.ts';
import type { Html } from './foreign.ts';
import { page, type Frame } from './layout.ts';

export interface ErrorPage {
  readonly failure: Failure;
  /** The rule that the request was about. */
  readonly ruleId?: string | undefined;
  readonly requestId: string;
  /** Path of the page to sign in on. */
  readonly signIn?: string | undefined;
}

/** A refusal for people. */
export function errorPage(frame: Frame, { failure, ruleId, requestId, signIn }: ErrorPage): Html {
  const { words, person } = frame;
  const { code } = failure;
  const current = currentOf(failure);
  const isOther = current !== undefined && ruleId !== undefined && current !== ruleId;
  const noGrant = code === 'unauthorized' && person !== undefined;
  return page(frame, {
    title: words.refused,
    class: 'narrow',
    main: html`<div class="panel">
      <h1>${words.refused}</h1>
      <p class="lead">${isOther ? words.otherGone(current) : errorText(words, noGrant ? 'no-grant' : code)}</p>
      <p class="actions">
        ${current === undefined ? '' : html`<a class="button" href="${rulePath(ruleId ?? current)}">${words.showCurrent}</a>`}
        ${isOther ? html`<a class="button" href="${rulePath(current)}">${current}</a>` : ''}
        ${signIn === undefined ? '' : html`<a class="button" href="${signIn}">${words.signIn}</a>`}
        ${person ? html`<a class="button" href="/approval">${words.backToInbox}</a>` : ''}
      </p>
      <p class="meta">
        ${words.errorCode} <code>${code}</code>
        ${code === 'internal' ? html`<span>${words.requestId} <code>${requestId}</code></span>` : ''}
      </p>
    </div>`,
  });
}

/** What a code means, in the words of the page. */
export const errorText = (words: Words, code: string): string =>
  (words.errors as Readonly<Record<string, string>>)[code] ?? words.refused;

/** The id of the rule whose present version a conflict names. */
const currentOf = ({ data: { current } }: Failure): string | undefined =>
  typeof current === 'string' ? current.slice('rule/'.length).split('@')[0] : undefined;
