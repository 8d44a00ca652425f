import { html } from 'hono/html';
import { relationField } from '../decision-form.ts';
import type { RelationKind, VersionView } from '../ports.ts';
import type { Filling } from './fields.ts';
import type { Html } from './foreign.ts';
import type { Frame } from './layout.ts';

const KINDS: readonly RelationKind[] = ['customer', 'product', 'supplier'];
const MOST = 20;
/** Empty rows for more. */
const SPARE = 2;

/** One row for each relation and some for more; a row without a name is none. */
export function relationRows({ words }: Frame, { relations }: VersionView, { given, wrong }: Filling): Html {
  const rows = Array.from({ length: Math.min(MOST, relations.length + SPARE) }, (_, at) => at + 1);
  return html`<fieldset class="relations" id="relations" ${wrong('relations') ? html`aria-describedby="problem"` : ''}>
    <legend>${words.relations}</legend>
    ${rows.map(number => {
      const now = relations[number - 1];
      const value = (part: 'kind' | 'name' | 'ref', was: string): string => given(relationField(number, part), was);
      const kind = value('kind', now?.kind ?? 'customer');
      const text = (part: 'name' | 'ref', label: string, was: string): Html =>
        html`<input
          name="${relationField(number, part)}"
          aria-label="${label}"
          placeholder="${part === 'name' ? words.relationName : words.relationRef}"
          value="${value(part, was)}"
          maxlength="200"
          dir="auto"
        />`;
      return html`<div class="relation">
        <select name="${relationField(number, 'kind')}" aria-label="${words.relationKindOf(number)}">
          ${KINDS.map(one => html`<option value="${one}" ${one === kind ? 'selected' : ''}>${words.relationKind[one]}</option>`)}
        </select>
        ${text('name', words.relationNameOf(number), now?.name ?? '')}
        ${text('ref', words.relationRefOf(number), now?.ref ?? '')}
      </div>`;
    })}
    <p class="hint">${words.relationsHint}</p>
  </fieldset>`;
}
