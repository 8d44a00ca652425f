import { html } from 'hono/html';
import type { Stretch } from '../ports.ts';

/** A piece of a page; text in it is escaped. */
export type Html = ReturnType<typeof html>;

/**
 * Characters that show nothing or turn the reading order of what follows: a person must see that they are there. Joiners, the
 * two direction marks and the choice of text or emoji form stay, since scripts and emoji need them and they turn nothing around.
 */
const HIDDEN =
  /(?![\t\n\r\u200c-\u200f]|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
const EVERY_HIDDEN = new RegExp(`(${HIDDEN.source})`, 'u');

/** Whether `foreign` would show a code in one of the texts. */
export const hidesSomething = (texts: readonly (string | null)[]): boolean =>
  texts.some(text => text !== null && HIDDEN.test(text));

/** Text of others, escaped, with the code of each hidden character in its place. */
export function shown(text: string): Html {
  const pieces = text.split(EVERY_HIDDEN);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : code(piece)))}`;
}

const code = (character: string): Html =>
  html`<span class="hidden-character"
    >${`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`}</span
  >`;

/** Text of others within a line of ours, which it cannot turn around. */
export const inline = (text: string): Html => html`<bdi>${shown(text)}</bdi>`;

/** Text of others with one stretch marked, as it stands between two tags. */
export function marked(text: string, mark: Stretch | null): Html {
  if (mark === null || mark.end <= mark.start) return shown(text);
  const { start, end } = mark;
  return html`${shown(text.slice(0, start))}<mark>${shown(text.slice(start, end))}</mark>${shown(text.slice(end))}`;
}

/** A link that leaves the server; its target is what is read. Other schemes than http and https are no links. */
export const outward = (url: string): Html =>
  /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="noopener noreferrer external" class="outward"><bdi>${shown(url)}</bdi></a>`
    : inline(url);
