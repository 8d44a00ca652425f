import { sha256 } from '../../kernel/hash.ts';

/** The one stylesheet of the approval pages. No picture, no font, no script: the pages' policy admits none. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f1;
  --sheet: #fffefb;
  --sunk: #f1efe9;
  --ink: #23262b;
  --soft: #5a5f67;
  --line: #dedad0;
  --edge: #8b8778;
  --accent: #1f5f5b;
  --accent-strong: #174b48;
  --on-accent: #ffffff;
  --accent-soft: #e3efec;
  --mark: #fbe38e;
  --on-mark: #23262b;
  --good: #22603a;
  --good-soft: #e2f0e5;
  --bad: #9a2c23;
  --bad-soft: #f9e5e1;
  --warn: #7a5200;
  --warn-soft: #faeecb;
  --shadow: 0 1px 2px rgb(35 38 43 / 0.06), 0 4px 16px rgb(35 38 43 / 0.05);
  --round: 10px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b;
    --sheet: #1f2226;
    --sunk: #191c1f;
    --ink: #e6e4de;
    --soft: #a6a8a6;
    --line: #34383d;
    --edge: #7d828a;
    --accent: #7cc7bd;
    --accent-strong: #a3ddd4;
    --on-accent: #10201e;
    --accent-soft: #1f3431;
    --mark: #6d5a12;
    --on-mark: #fff7da;
    --good: #8fd0a3;
    --good-soft: #1d3325;
    --bad: #f0a299;
    --bad-soft: #3c2321;
    --warn: #e7c46c;
    --warn-soft: #362d16;
    --shadow: 0 1px 2px rgb(0 0 0 / 0.4);
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 400 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ol, ul, dl, dd, blockquote, fieldset { margin: 0; }
h1 { font-size: clamp(1.4rem, 1.1rem + 1.4vw, 1.9rem); line-height: 1.25; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 1.15rem; line-height: 1.3; }
h3 { font-size: 1rem; line-height: 1.4; }
ol, ul { padding: 0; list-style: none; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { color: var(--accent-strong); text-decoration-thickness: 2px; }
code, .ref { font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 0.86em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }

.skip { position: absolute; left: 1rem; top: -4rem; z-index: 2; padding: 0.6rem 1rem; background: var(--sheet); border-radius: var(--round); }
.skip:focus { top: 0.5rem; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.4rem 1.5rem;
  padding: 0.6rem max(1rem, calc((100% - 72rem) / 2));
  background: var(--sheet); border-bottom: 1px solid var(--line);
}
.top, button, .button, label, .badge, .count { overflow-wrap: normal; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; color: inherit; text-decoration: none; }
a.brand:hover { color: inherit; }
.stones { fill: var(--accent); flex: none; }
.product { font-weight: 700; letter-spacing: -0.01em; }
.instance { color: var(--soft); }
.top nav { display: flex; flex-wrap: wrap; gap: 0 0.25rem; flex: 1 1 auto; }
.top nav a {
  display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 0.75rem; border-bottom: 3px solid transparent;
  color: var(--soft); font-weight: 600; text-decoration: none;
}
.top nav a:hover { color: var(--accent); }
.top nav a[aria-current] { color: var(--accent); border-color: var(--accent); }
.person { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; }
.who { color: var(--soft); font-size: 0.92rem; overflow-wrap: anywhere; min-width: 0; flex: 0 1 auto; }

main { max-width: 74rem; margin: 0 auto; padding: clamp(1.25rem, 3vw, 2.5rem) 1rem 4rem; }
.narrow main { max-width: 34rem; padding-top: clamp(1.5rem, 8vh, 5rem); }
.page-head { display: grid; gap: 0.6rem; margin-bottom: 1.5rem; }
.lead { color: var(--soft); font-size: 1.05rem; }
.quiet-text { color: var(--soft); font-size: 0.92rem; }
.meta { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.75rem; color: var(--soft); font-size: 0.9rem; }

.panel, .card, .source, .side {
  background: var(--sheet); border: 1px solid var(--line); border-radius: var(--round); box-shadow: var(--shadow);
}
.panel { display: grid; gap: 1rem; padding: clamp(1rem, 3vw, 1.5rem); }
.badge, .count, .chips > span {
  display: inline-block; padding: 0.1rem 0.6rem; border-radius: 999px;
  background: var(--sunk); border: 1px solid var(--line); color: var(--soft);
  font-size: 0.82rem; font-weight: 600; line-height: 1.5;
}
.badge.proposed { background: var(--warn-soft); border-color: transparent; color: var(--warn); }
.badge.confirmed { background: var(--good-soft); border-color: transparent; color: var(--good); }
.badge.rejected { background: var(--bad-soft); border-color: transparent; color: var(--bad); }
.count { margin-left: 0.35rem; font-weight: 600; vertical-align: 0.1em; }
.chips { display: flex; flex-wrap: wrap; gap: 0.35rem; }
.chips > span { border-radius: 0.9rem; color: var(--ink); font-weight: 400; }
.replaces { color: var(--accent); font-weight: 600; }

.notice { display: grid; gap: 0.35rem; padding: 0.75rem 1rem; border-radius: var(--round); border-left: 4px solid var(--edge); background: var(--sunk); }
.notice.warning { background: var(--warn-soft); border-color: var(--warn); color: var(--ink); }
.notice.error, .notice.rejected { background: var(--bad-soft); border-color: var(--bad); }
.notice.confirmed { background: var(--good-soft); border-color: var(--good); }
.notice.info { background: var(--accent-soft); border-color: var(--accent); }

.foreign { white-space: pre-line; unicode-bidi: plaintext; }
.hidden-character {
  display: inline-block; margin: 0 0.1em; padding: 0 0.3em; border-radius: 4px; border: 1px dashed currentcolor;
  background: var(--bad-soft); color: var(--bad); font: 600 0.72em/1.5 ui-monospace, Menlo, Consolas, monospace; direction: ltr;
}
mark { background: var(--mark); color: var(--on-mark); border-radius: 3px; padding: 0.05em 0.1em; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; line-clamp: 3; overflow: hidden; }
blockquote { padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--line); color: var(--soft); }

.filter { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin-bottom: 2rem; }
.filter .grows { flex: 1 1 16rem; }
.filter .whole { flex: 1 0 100%; }
.field { display: grid; gap: 0.3rem; min-width: 0; }
label, legend { font-weight: 600; font-size: 0.94rem; padding: 0; }
input:not([type='radio']), select, textarea {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: var(--ink);
  background: var(--paper); border: 1px solid var(--edge); border-radius: 8px;
}
textarea { resize: vertical; line-height: 1.45; }
[aria-invalid='true'] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.hint { color: var(--soft); font-size: 0.86rem; }
.relations { display: grid; gap: 0.5rem; }
.relations legend { margin-bottom: 0.3rem; }
.relation { display: grid; grid-template-columns: 7.75rem minmax(0, 1fr); gap: 0.4rem 0.5rem; }
.relation select { padding-inline: 0.6rem 0.2rem; }
.relation input:last-of-type { grid-column: 2; min-height: 2.25rem; padding-block: 0.25rem; font-size: 0.9rem; }
.relation + .relation { padding-top: 0.5rem; border-top: 1px solid var(--line); }
::placeholder { color: var(--soft); opacity: 1; }
fieldset { display: flex; flex-wrap: wrap; gap: 0 1.25rem; padding: 0; border: 0; min-width: 0; }
.choice { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; font-weight: 400; }
input[type='radio'] { width: 1.15rem; height: 1.15rem; margin: 0; accent-color: var(--accent); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: 1rem; align-items: start; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: center; }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.25rem;
  font: inherit; font-weight: 600; line-height: 1.2; text-decoration: none; cursor: pointer;
  color: var(--ink); background: var(--sheet); border: 1px solid var(--edge); border-radius: 8px;
}
button:hover, .button:hover { border-color: var(--ink); color: var(--ink); }
.primary, .primary:hover { color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.primary:hover { background: var(--accent-strong); }
.danger, .danger:hover { color: var(--bad); border-color: var(--bad); }
.danger:hover { background: var(--bad-soft); }
.quiet, .quiet:hover { background: transparent; border-color: transparent; color: var(--accent); padding-inline: 0.75rem; }
.quiet:hover { text-decoration: underline; }

.scope { margin-bottom: 2.5rem; }
.scope > h2 { margin-bottom: 0.5rem; }
.scope > .cards, .scope > .empty { margin-top: 0.75rem; }
.notice + .scope { margin-top: 1.5rem; }
.standing a { display: inline-flex; align-items: center; min-height: 2rem; }
.standing .due { font-weight: 700; }
.served { font-weight: 600; color: var(--ink); }
.because { padding-inline-start: 0.9rem; border-inline-start: 3px solid var(--bad); }
.cards { display: grid; gap: 0.75rem; }
.card { position: relative; display: grid; gap: 0.5rem; padding: 1rem 1.15rem; }
.card h3 { font-size: 1.06rem; }
.card h3 a { color: inherit; text-decoration: none; }
.card h3 a::after { content: ''; position: absolute; inset: 0; border-radius: var(--round); }
.card h3 a:focus-visible { outline: none; }
.card h3 a:focus-visible::after { outline: 3px solid var(--accent); outline-offset: 2px; }
.card:hover { border-color: var(--accent); }
.card:hover h3 a { color: var(--accent); }
.empty, .more { color: var(--soft); padding: 0.25rem 0; }

.statement { max-width: 52ch; }
.replacement { display: grid; gap: 0.75rem; margin-bottom: 2rem; }
.side-by-side { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.75rem; }
.side { display: grid; gap: 0.6rem; align-content: start; padding: 1rem 1.15rem; }
.side b { color: var(--ink); }
.side + .side { border-color: var(--accent); }
.said { font-weight: 600; }
.columns { display: grid; gap: 2rem; }
.columns > *, .columns.open > * { min-width: 0; }
@media (min-width: 60rem) {
  .columns.open { grid-template: 'evidence decide' auto 'more decide' 1fr / minmax(0, 1fr) minmax(0, 26rem); column-gap: 2.5rem; align-items: start; }
  .columns.open .reading { grid-area: evidence; }
  .columns.open .decide { grid-area: decide; }
  .columns.open .more-about { grid-area: more; }
  .columns:not(.open) { grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); column-gap: 2.5rem; align-items: start; }
}
.evidence, .decide, .reading, .more-about, .alike, .details, .history { display: grid; gap: 0.85rem; align-content: start; }
.reading, .more-about { gap: 2.25rem; }
.jump { display: none; }
.source { padding: 1rem 1.25rem; }
blockquote.source { color: var(--ink); border-inline-start: 4px solid var(--edge); }
.source.mail .foreign { white-space: pre-wrap; max-width: 75ch; }
.cut { color: var(--soft); font-size: 0.86rem; font-style: italic; }
.meeting { display: grid; gap: 0.85rem; }
.meeting li { padding-inline-start: 0.9rem; border-inline-start: 3px solid transparent; }
.meeting li.marked { border-color: var(--edge); }
.said-by { color: var(--soft); font-size: 0.88rem; }
.facts-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 1.25rem 2rem; }
.facts { display: grid; gap: 0.5rem; align-content: start; }
dl { display: grid; gap: 0.4rem; }
dl > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.75rem; }
dt { color: var(--soft); font-size: 0.92rem; }
.proof.pass { color: var(--good); }
.proof.fail { color: var(--bad); font-weight: 600; }
details { margin-top: 0.5rem; }
summary { cursor: pointer; color: var(--accent); min-height: 2rem; }
.header { font-size: 0.82rem; color: var(--soft); margin-top: 0.35rem; }
.entries { display: grid; gap: 0.5rem; margin-top: 0.75rem; }
.entries ul { display: grid; gap: 0.6rem; }
.entries li { padding: 0.75rem 1rem; background: var(--sunk); border: 1px solid var(--line); border-radius: var(--round); }
.entries time { color: var(--soft); font-size: 0.9rem; }
.history ol { display: grid; gap: 1rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.changes { padding-inline-start: 1rem; font-size: 0.92rem; }
.changes del { color: var(--soft); }
@media (max-width: 59.99rem) {
  .jump { display: block; }
}
@media (max-width: 30rem) {
  dl > div { grid-template-columns: 1fr; gap: 0; }
  .top { gap: 0; }
  .top .quiet { padding-inline: 0; }
  .top { padding-block: 0.4rem; }
  .who { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .top nav { order: 3; flex: 1 0 100%; justify-content: space-between; gap: 0; }
  .top nav a { padding: 0 0.15rem; min-height: 2.75rem; font-size: 0.94rem; }
  .decide button, .narrow .panel button, .filter button { flex: 1; }
}
@media print { .top, .filter, .decide { display: none; } }
`;

/** Where the stylesheet is. Another one has another address, so that browsers may keep it for good. */
export const STYLE_PATH = `/approval/style.css?v=${sha256(STYLE).slice(0, 16)}`;
