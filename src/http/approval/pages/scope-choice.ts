import { html } from 'hono/html';
import type { Html } from './foreign.ts';
import type { Frame } from './layout.ts';

/** A choice among the scopes of the grant; `all`: none may be chosen. */
export const scopeChoice = (
  { words }: Frame,
  granted: readonly string[],
  chosen: string | undefined,
  all: boolean,
): Html =>
  html`<div class="field">
    <label for="scope">${words.filterScope}</label>
    <select id="scope" name="scope">
      ${all ? html`<option value="">${words.filterAllScopes}</option>` : ''}
      ${granted.map(scope => html`<option value="${scope}" ${scope === chosen ? 'selected' : ''}>${scope}</option>`)}
    </select>
  </div>`;
