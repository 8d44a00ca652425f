import { html } from 'hono/html';
import type { AuthView, ContextView, EntryView, RuleView, SegmentView } from '../ports.ts';
import { ruleLink, rulePath, time } from './badge.ts';
import { excerptOf } from './excerpt.ts';
import { inline, marked, outward, shown, type Html } from './foreign.ts';
import type { Frame } from './layout.ts';

/** UTF-16 units of a mail on either side of the quote: at first, and when the whole is asked for. */
const AROUND = 500;
const WHOLE = 100_000;

/** The quote in its source. */
export const evidence = (frame: Frame, rule: RuleView, wholeMail: boolean): Html =>
  html`<section class="evidence" aria-labelledby="evidence-title">
    <h2 id="evidence-title">${frame.words.evidence}</h2>
    ${sourceLine(frame, rule)} ${doubt(frame, rule.source.auth)} ${secrets(frame, rule.source.secret_kinds)}
    ${context(frame, rule, rule.context, wholeMail)}
  </section>`;

function sourceLine({ words, times }: Frame, { source }: RuleView): Html {
  const { kind, title, sender, occurred_at: at } = source;
  return html`<p class="meta">
    <span class="badge">${words.sourceKind[kind]}</span>
    ${title === null ? '' : html`<b>${inline(title)}</b>`}
    ${sender === null ? '' : html`<span>${inline(sender)}</span>`} ${at === null ? '' : time(at, times.instant(at))}
  </p>`;
}

const METHODS = ['spf', 'dkim', 'dmarc'] as const;

/** Says so when a check of where the mail came from did not pass. */
function doubt({ words }: Frame, auth: AuthView | null): Html {
  const failed = METHODS.filter(method => auth && auth[method] !== null && auth[method] !== 'pass');
  if (!auth || failed.length === 0) return html``;
  const named = failed.map(method => `${method.toUpperCase()} ${auth[method]}`).join(', ');
  return html`<p class="notice warning" role="note">${words.notProven(named)}</p>`;
}

const secrets = ({ words }: Frame, kinds: readonly string[]): Html =>
  kinds.length === 0
    ? html``
    : html`<p class="notice warning" role="note">
        ${words.holdsSecret} ${kinds.map(kind => html`<code>${kind}</code> `)}
      </p>`;

/** All that is known of the source and of the proposal. */
export const details = (frame: Frame, rule: RuleView): Html =>
  html`<section class="details" aria-labelledby="details-title">
    <h2 id="details-title">${frame.words.details}</h2>
    <div class="facts-pair">${proposalFacts(frame, rule)} ${sourceFacts(frame, rule)}</div>
    ${entries(frame, frame.words.attachments, rule.attachments, false)}
    ${entries(frame, frame.words.thread, rule.thread, true)}
  </section>`;

function context(frame: Frame, { version }: RuleView, found: ContextView, wholeMail: boolean): Html {
  const { words } = frame;
  if (found === null) {
    return html`<p class="notice warning">${words.ownWords}</p>
      <blockquote class="source foreign" dir="auto">${shown(version.source.quote)}</blockquote>`;
  }
  if (found.kind === 'meeting') {
    return html`<p class="quiet-text">${words.meetingWindow}</p>
      <ol class="source meeting">
        ${found.segments.map(one => segment(frame, one))}
      </ol>`;
  }
  const { text, mark, before, after } = excerptOf(found.text, found.mark, wholeMail ? WHOLE : AROUND);
  const path = rulePath(version.rule_id);
  return html`<div class="source mail">
      ${before > 0 ? html`<p class="cut">${words.mailBefore(before)}</p>` : ''}
      <div class="foreign" dir="auto">${marked(text, mark)}</div>
      ${after > 0 ? html`<p class="cut">${words.mailAfter(after)}</p>` : ''}
    </div>
    ${
      wholeMail
        ? html`<p class="quiet-text">
            ${before + after > 0 ? words.mailTooLong(text.length) : ''}
            <a href="${path}#evidence-title">${words.mailExcerpt}</a>
          </p>`
        : before + after > 0
          ? html`<p><a href="${path}?mail=whole#evidence-title">${words.mailWhole}</a></p>`
          : ''
    }`;
}

const segment = ({ words }: Frame, { time: at, speaker, text, mark }: SegmentView): Html =>
  html`<li class="${mark ? 'marked' : ''}">
    <p class="said-by">
      <span class="ref">${at}</span> ${speaker === null ? html`<i>${words.unknownSpeaker}</i>` : inline(speaker)}
    </p>
    <p class="foreign" dir="auto">${marked(text, mark)}</p>
  </li>`;

function sourceFacts(frame: Frame, { source, version }: RuleView): Html {
  const { words, times } = frame;
  const { timestamp_s: seconds, link } = version.source;
  return html`<div class="facts">
    <h3>${words.facts}</h3>
    <dl>
      ${fact(words.factSource, html`${words.sourceKind[source.kind]}`)}
      ${source.title === null ? '' : fact(words.factTitle, inline(source.title))}
      ${source.sender === null ? '' : fact(words.factSender, inline(source.sender))}
      ${source.occurred_at === null ? '' : fact(words.factWhen, time(source.occurred_at, times.instant(source.occurred_at)))}
      ${seconds === null ? '' : fact(words.factTime, html`${clock(seconds)}`)}
      ${source.link === null ? '' : fact(words.factLink, outward(source.link))}
      ${link === null || link === source.link ? '' : fact(words.factQuoteLink, outward(link))}
      ${source.auth === null ? '' : proof(frame, source.auth)}
      ${fact(words.factFetched, time(source.fetched_at, times.instant(source.fetched_at)))}
      ${fact('ID', html`<span class="ref">${inline(source.id)}</span>`)}
    </dl>
  </div>`;
}

const proof = ({ words }: Frame, auth: AuthView): Html =>
  html`${fact(words.factFrom, inline(auth.from))}
  ${fact(
    words.factProof,
    html`<span class="chips"
        >${METHODS.map(method => html`<span class="proof ${auth[method] === 'pass' ? 'pass' : auth[method] === null ? '' : 'fail'}">${method.toUpperCase()} ${auth[method] ?? '–'}</span>`)}</span
      >${
        auth.authentication_results.length === 0
          ? ''
          : html`<details>
              <summary>${words.proofHeaders(auth.authentication_results.length)}</summary>
              ${auth.authentication_results.map(one => html`<p class="foreign header" dir="auto">${shown(one)}</p>`)}
            </details>`
      }`,
  )}`;

function proposalFacts({ words, times }: Frame, { version }: RuleView): Html {
  const chips = (all: readonly Html[]): Html =>
    all.length === 0
      ? html`${words.none}`
      : html`<span class="chips">${all.map(one => html`<span>${one}</span>`)}</span>`;
  return html`<div class="facts">
    <h3>${words.proposal}</h3>
    <dl>
      ${fact(words.validFrom, time(version.valid_from, times.day(version.valid_from)))}
      ${fact(words.saidAt, time(version.said_at, times.instant(version.said_at)))}
      ${version.speaker === null ? '' : fact(words.speaker, inline(version.speaker))}
      ${fact(words.keywords, chips(version.keywords.map(inline)))}
      ${fact(
        words.relations,
        chips(
          version.relations.map(
            ({ kind, name, ref }) =>
              html`${words.relationKind[kind]}: ${inline(name)}${ref === null ? '' : html` (${inline(ref)})`}`,
          ),
        ),
      )}
      ${version.supersedes === null ? '' : fact(words.replaces, ruleLink(version.supersedes))}
    </dl>
  </div>`;
}

const fact = (name: string, value: Html): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function entries({ words, times }: Frame, title: string, all: readonly EntryView[], dated: boolean): Html {
  if (all.length === 0) return html``;
  return html`<div class="entries">
    <h3>${title} <span class="count">${all.length}</span></h3>
    <ul>
      ${all.map(
        ({ title: name, date, excerpt, link }) =>
          html`<li>
            <p><b>${inline(name)}</b> ${dated ? time(date, times.instant(date)) : ''}</p>
            ${
              excerpt === null
                ? html`<p class="quiet-text">${words.unreadable}</p>`
                : html`<p class="foreign clamped" dir="auto">${shown(excerpt)}</p>`
            }
            ${link === null ? '' : html`<p>${outward(link)}</p>`}
          </li>`,
      )}
    </ul>
  </div>`;
}

/** Seconds as `m:ss`, from an hour on as `h:mm:ss`. */
function clock(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
