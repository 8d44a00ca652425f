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

/** What is wrong with a form that was sent, with the way to each field that does not fit. */
export function problem({ words }: Frame, { code, text, wrong, fields }: Typed): Html {
  const labels: Readonly<Record<string, string>> = {
    statement: words.statement,
    kind: words.kindLabel,
    keywords: words.keywords,
    valid_from: words.validFrom,
    said_at: words.saidAt,
    speaker: words.speaker,
    reason: fields.get('decision') === 'reject' ? words.rejectReason : words.confirmReason,
  };
  const anchors: Readonly<Record<string, string>> = fields.get('decision') === 'reject' ? {} : { reason: 'remark' };
  const named = [...new Set(wrong)].filter(name => name in labels);
  return html`<div class="notice error" role="alert" id="problem">
    <p>${text}</p>
    ${
      named.length === 0
        ? ''
        : html`<p>
            ${words.pleaseCheck} ${named.map(name => html`<a href="#${anchors[name] ?? name}">${labels[name]}</a> `)}
          </p>`
    }
    <p>${words.kept} <code>${code}</code></p>
  </div>`;
}

/** The two forms of a proposal. Both are bound to what is shown here. */
export function decideForms(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words } = frame;
  const rejecting = refused?.fields.get('decision') === 'reject';
  return html`<section class="decide" aria-labelledby="decide-title">
    <h2 id="decide-title">${words.decide}</h2>
    ${confirmForm(frame, rule, rejecting ? undefined : refused)}
    ${rejectForm(frame, rule, rejecting ? refused : undefined)}
  </section>`;
}

function confirmForm(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words, times } = frame;
  const { version } = rule;
  const given = (name: string, now: string): string => refused?.fields.get(name) ?? now;
  const wrong = (name: string): boolean => refused?.wrong.includes(name) ?? false;
  const kind = given('kind', version.kind);
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="confirm">
    <h3>${words.confirmTitle}</h3>
    <p class="quiet-text">${words.confirmLead}</p>
    ${hidden(frame, rule, 'confirm')}
    ${area('statement', words.statement, given('statement', version.statement), words.statementHint, wrong('statement'), 5)}
    <fieldset id="kind">
      <legend>${words.kindLabel}</legend>
      ${(['rule', 'note'] as const).map(
        one =>
          html`<label class="choice">
            <input type="radio" name="kind" value="${one}" ${one === kind ? 'checked' : ''} /> ${words.kind[one]}
          </label>`,
      )}
    </fieldset>
    ${area('keywords', words.keywords, given('keywords', version.keywords.join(', ')), words.keywordsHint, wrong('keywords'), 2)}
    <div class="pair">
      ${field({ name: 'valid_from', label: words.validFrom, value: given('valid_from', version.valid_from), type: 'date', required: true, wrong: wrong('valid_from') })}
      ${field({ name: 'said_at', label: words.saidAt, value: given('said_at', times.local(version.said_at)), type: 'datetime-local', required: true, wrong: wrong('said_at'), hint: words.saidAtHint(times.zone) })}
    </div>
    ${field({ name: 'speaker', label: words.speaker, value: given('speaker', version.speaker ?? ''), type: 'text', wrong: wrong('speaker'), hint: words.speakerHint })}
    ${field({ name: 'reason', id: 'remark', label: words.confirmReason, value: given('reason', ''), type: 'text', wrong: wrong('reason'), hint: words.confirmReasonHint })}
    ${version.supersedes === null ? '' : html`<p class="notice info">${words.confirmReplacing(version.supersedes)}</p>`}
    <div class="actions"><button class="primary">${words.confirmButton}</button></div>
  </form>`;
}

function rejectForm(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words } = frame;
  const wrong = refused?.wrong.includes('reason') ?? false;
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="reject">
    <h3>${words.rejectTitle}</h3>
    ${hidden(frame, rule, 'reject')}
    ${area('reason', words.rejectReason, refused?.fields.get('reason') ?? '', words.rejectReasonHint, wrong, 2)}
    <div class="actions"><button class="danger">${words.rejectButton}</button></div>
  </form>`;
}

const actionOf = (rule: RuleView): string => `/v1/rules/${rule.version.rule_id}/decision`;

const hidden = ({ person }: Frame, rule: RuleView, decision: string): Html =>
  html`${Object.entries(hiddenFields(rule, decision, person?.csrf ?? '')).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )}`;

// A line break right after the tag is dropped by browsers, so one stands there that may be.
const area = (name: string, label: string, value: string, hint: string, wrong: boolean, rows: number): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <textarea
      id="${name}"
      name="${name}"
      rows="${rows}"
      dir="auto"
      ${name === 'keywords' ? '' : 'required'}
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
}

const field = ({ name, id = name, label, value, type, required, wrong, hint }: Field): Html =>
  html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      ${type === 'text' ? html`dir="auto"` : ''}
      ${type === 'datetime-local' ? html`step="any"` : ''}
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
