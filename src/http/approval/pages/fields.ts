import { html } from 'hono/html';
import { hiddenFields } from '../decision-form.ts';
import type { RuleView } from '../ports.ts';
import type { Html } from './foreign.ts';
import type { Frame } from './layout.ts';

/** A form as a person sent it, and why it was refused. */
export interface Typed {
  readonly code: string;
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
  /** Names of the fields that do not fit. */
  readonly wrong: readonly string[];
}

/** What the fields of a form show: what was typed where the form was refused, else what stands there now. */
export interface Filling {
  given(name: string, now: string): string;
  wrong(name: string): boolean;
}

export const fillingOf = (refused: Typed | undefined): Filling => ({
  given: (name, now) => refused?.fields.get(name) ?? now,
  wrong: name => refused?.wrong.includes(name) ?? false,
});

export const actionOf = (rule: RuleView): string => `/v1/rules/${rule.version.rule_id}/decision`;

/** What binds a form to its person and to what is shown. */
export const hidden = ({ person }: Frame, rule: RuleView, decision: string): Html =>
  html`${Object.entries(hiddenFields(rule, decision, person?.csrf ?? '')).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;

interface Area {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly wrong: boolean;
  readonly rows: number;
  readonly required: boolean;
}

// A line break right after the tag is dropped by browsers, so one stands there that may be.
export const area = ({ name, label, value, hint, wrong, rows, required }: Area): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      dir="auto"
      ${required ? 'required' : ''}
      ${describedBy(name, true, wrong)}
    >
${value}</textarea>
    <p class="hint" id="${name}-hint">${hint}</p>
  </div>`;

interface Field {
  readonly name: string;
  readonly id?: string;
  readonly label: string;
  readonly value: string;
  readonly type: 'text' | 'date' | 'datetime-local';
  readonly required?: boolean;
  readonly wrong: boolean;
  readonly hint?: string;
  /** Id of a list of proposals for it. */
  readonly list?: string;
  /** The earliest day. */
  readonly min?: string;
}

export const field = ({ name, id = name, label, value, type, required, wrong, hint, list, min }: Field): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${type === 'text' ? html`dir="auto"` : ''}
      ${type === 'datetime-local' ? html`step="any"` : ''}
      ${list === undefined ? '' : html`list="${list}"`}
      ${min === undefined ? '' : html`min="${min}"`}
      ${required ? 'required' : ''}
      ${describedBy(id, hint !== undefined, wrong)}
    />
    ${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;

const describedBy = (id: string, hinted: boolean, wrong: boolean): Html => {
  const ids = [...(hinted ? [`${id}-hint`] : []), ...(wrong ? ['problem'] : [])];
  return html`${ids.length === 0 ? '' : html`aria-describedby="${ids.join(' ')}"`}
  ${wrong ? html`aria-invalid="true"` : ''}`;
};
