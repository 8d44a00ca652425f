import { html } from 'hono/html';
import type { RuleView } from '../ports.ts';
import { actionOf, area, field, fillingOf, hidden, type Typed } from './fields.ts';
import type { Html } from './foreign.ts';
import type { Frame } from './layout.ts';
import { relationRows } from './relation-rows.ts';

/** What is wrong with a form that was sent, with the way to each field that does not fit. */
export function problem({ words }: Frame, { code, text, wrong, fields }: Typed): Html {
  const gentle = ['confirm', 'review'].includes(fields.get('decision') ?? '');
  const labels: Readonly<Record<string, string>> = {
    statement: words.statement,
    kind: words.kindLabel,
    keywords: words.keywords,
    relations: words.relations,
    valid_from: words.validFrom,
    valid_until: words.validUntil,
    said_at: words.saidAt,
    speaker: words.speaker,
    supersedes: words.replaces,
    reason: gentle ? words.confirmReason : words.rejectReason,
  };
  const anchors: Readonly<Record<string, string>> = gentle ? { reason: 'remark' } : {};
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
  const filling = fillingOf(refused);
  const { given, wrong } = filling;
  const kind = given('kind', version.kind);
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="confirm">
    <h3>${words.confirmTitle}</h3>
    <p class="quiet-text">${words.confirmLead}</p>
    ${hidden(frame, rule, 'confirm')}
    ${area({ name: 'statement', label: words.statement, value: given('statement', version.statement), hint: words.statementHint, wrong: wrong('statement'), rows: 5, required: true })}
    <fieldset id="kind">
      <legend>${words.kindLabel}</legend>
      ${(['rule', 'note'] as const).map(
        one =>
          html`<label class="choice">
            <input type="radio" name="kind" value="${one}" ${one === kind ? 'checked' : ''} /> ${words.kind[one]}
          </label>`,
      )}
    </fieldset>
    ${area({ name: 'keywords', label: words.keywords, value: given('keywords', version.keywords.join(', ')), hint: words.keywordsHint, wrong: wrong('keywords'), rows: 2, required: false })}
    ${relationRows(frame, version, filling)}
    <div class="pair">
      ${field({ name: 'valid_from', label: words.validFrom, value: given('valid_from', version.valid_from), type: 'date', required: true, wrong: wrong('valid_from') })}
      ${field({ name: 'said_at', label: words.saidAt, value: given('said_at', times.local(version.said_at)), type: 'datetime-local', required: true, wrong: wrong('said_at'), hint: words.saidAtHint(times.zone) })}
    </div>
    ${field({ name: 'speaker', label: words.speaker, value: given('speaker', version.speaker ?? ''), type: 'text', wrong: wrong('speaker'), hint: words.speakerHint })}
    ${field({ name: 'supersedes', label: words.replaces, value: given('supersedes', version.supersedes ?? ''), type: 'text', wrong: wrong('supersedes'), hint: words.replacesHint, list: 'replaceable' })}
    ${replaceable(rule)}
    ${version.supersedes === null ? '' : html`<p class="notice info">${words.confirmReplacing(version.supersedes)}</p>`}
    ${field({ name: 'reason', id: 'remark', label: words.confirmReason, value: given('reason', ''), type: 'text', wrong: wrong('reason'), hint: words.confirmReasonHint })}
    <div class="actions"><button class="primary">${words.confirmButton}</button></div>
  </form>`;
}

/** Confirmed rules that say something alike are those that this one may replace. */
const replaceable = ({ version, possible_duplicates: alike }: RuleView): Html => {
  const ids = alike.filter(one => one.status === 'confirmed').map(one => one.ref.slice('rule/'.length).split('@')[0]!);
  const all = new Set([...(version.supersedes === null ? [] : [version.supersedes]), ...ids]);
  return html`<datalist id="replaceable">${[...all].map(id => html`<option value="${id}"></option>`)}</datalist>`;
};

function rejectForm(frame: Frame, rule: RuleView, refused: Typed | undefined): Html {
  const { words } = frame;
  const { given, wrong } = fillingOf(refused);
  return html`<form class="panel" method="post" action="${actionOf(rule)}" id="reject">
    <h3>${words.rejectTitle}</h3>
    ${hidden(frame, rule, 'reject')}
    ${area({ name: 'reason', label: words.rejectReason, value: given('reason', ''), hint: words.rejectReasonHint, wrong: wrong('reason'), rows: 2, required: true })}
    <div class="actions"><button class="danger">${words.rejectButton}</button></div>
  </form>`;
}
