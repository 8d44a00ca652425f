import { html } from 'hono/html';
import type { AlikeView, DecisionView, RuleView, VersionView } from '../ports.ts';
import { ruleLink, rulePath, statusBadge, time } from './badge.ts';
import { inline, shown, type Html } from './foreign.ts';
import type { Frame } from './layout.ts';

/** The rule that goes, beside the one that comes. */
export function replacement(frame: Frame, { version, replaces }: RuleView): Html {
  if (replaces === null) return html``;
  const { words } = frame;
  const decided = version.status !== 'proposed';
  return html`<section class="replacement" aria-labelledby="replacement-title">
    <h2 id="replacement-title">${decided ? words.replacedTitle : words.replacesTitle}</h2>
    <div class="side-by-side">
      ${side(frame, decided ? words.earlier : words.today, replaces, true)}
      ${side(frame, decided ? words.since : words.proposed, version, false)}
    </div>
  </section>`;
}

function side({ words, times }: Frame, label: string, version: VersionView, linked: boolean): Html {
  return html`<article class="side">
    <p class="meta">
      <b>${label}</b> ${linked ? ruleLink(version.rule_id) : html`<span class="ref">${version.rule_id}</span>`}
      ${statusBadge(words, version.status)}
    </p>
    <p class="said foreign" dir="auto">${shown(version.statement)}</p>
    <blockquote class="foreign clamped" dir="auto">${shown(version.source.quote)}</blockquote>
    <p class="meta"><span>${words.validFrom} ${time(version.valid_from, times.day(version.valid_from))}</span></p>
  </article>`;
}

/** What says the same, here or before. */
export function alike(frame: Frame, rule: RuleView): Html {
  const { words } = frame;
  return html`${alikeList(frame, words.alikeTitle, words.alikeLead, rule.possible_duplicates, false)}
  ${alikeList(frame, words.refusedTitle, words.refusedLead, rule.rejected_similar, true)}`;
}

function alikeList({ words }: Frame, title: string, lead: string, all: readonly AlikeView[], why: boolean): Html {
  if (all.length === 0) return html``;
  return html`<section class="alike">
    <h2>${title} <span class="count">${all.length}</span></h2>
    <p class="quiet-text">${lead}</p>
    <ul class="cards">
      ${all.map(one => {
        const id = one.ref.slice('rule/'.length).split('@')[0]!;
        return html`<li class="card">
          <h3 dir="auto"><a href="${rulePath(id)}">${shown(one.statement)}</a></h3>
          ${why ? html`<p class="foreign" dir="auto">${shown(one.reason)}</p>` : ''}
          <p class="meta">${statusBadge(words, one.status)} <span class="ref">${id}</span></p>
        </li>`;
      })}
    </ul>
  </section>`;
}

/** Every version, the newest first, with who made it and what changed. */
export function history(frame: Frame, { history: versions, decisions }: RuleView): Html {
  const { words } = frame;
  const steps = versions.map((version, index) =>
    step(
      frame,
      version,
      versions[index - 1],
      decisions.find(one => one.new_version === version.version),
    ),
  );
  return html`<section class="history" aria-labelledby="history-title">
    <h2 id="history-title">${words.history}</h2>
    <ol>
      ${steps.toReversed()}
    </ol>
  </section>`;
}

function step(
  frame: Frame,
  version: VersionView,
  earlier: VersionView | undefined,
  decision: DecisionView | undefined,
): Html {
  const { words, times } = frame;
  const who = decision?.decided_by_identity ?? version.changed_by;
  const changes = earlier ? changesOf(frame, earlier, version) : [];
  return html`<li>
    <p class="meta">
      ${statusBadge(words, version.status)} <span>${words.version(version.version)}</span>
      <span>${who}, ${time(version.changed_at, times.instant(version.changed_at))}</span>
    </p>
    <p class="foreign" dir="auto">${shown(version.reason)}</p>
    ${
      changes.length === 0
        ? ''
        : html`<p class="quiet-text">${words.changed}</p>
            <ul class="changes">
              ${changes.map(({ label, before }) => html`<li>${label} <span class="quiet-text">${words.before}</span> ${before}</li>`)}
            </ul>`
    }
  </li>`;
}

/** What a decision changed beside the status, with what stood there before. */
function changesOf(
  { words, times }: Frame,
  old: VersionView,
  now: VersionView,
): readonly { readonly label: string; readonly before: Html }[] {
  const joined = (version: VersionView): string => version.keywords.join(', ');
  const named = (version: VersionView): string =>
    version.relations.map(({ kind, name }) => `${words.relationKind[kind]}: ${name}`).join(', ');
  const or = (text: string | null): Html => (text ? html`<del>${inline(text)}</del>` : html`${words.none}`);
  const fields = [
    { label: words.statement, differs: old.statement !== now.statement, before: or(old.statement) },
    { label: words.kindLabel, differs: old.kind !== now.kind, before: or(words.kind[old.kind]) },
    { label: words.keywords, differs: joined(old) !== joined(now), before: or(joined(old)) },
    { label: words.relations, differs: named(old) !== named(now), before: or(named(old)) },
    { label: words.validFrom, differs: old.valid_from !== now.valid_from, before: or(times.day(old.valid_from)) },
    { label: words.saidAt, differs: old.said_at !== now.said_at, before: or(times.instant(old.said_at)) },
    { label: words.speaker, differs: old.speaker !== now.speaker, before: or(old.speaker) },
    { label: words.replaces, differs: old.supersedes !== now.supersedes, before: or(old.supersedes) },
  ];
  return fields.filter(({ differs }) => differs);
}
