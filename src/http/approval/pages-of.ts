import type { Ctx } from './answer.ts';
import { inboxPage } from './pages/inbox-page.ts';
import type { Html } from './pages/foreign.ts';
import type { Frame } from './pages/layout.ts';
import { recheckPage } from './pages/recheck-page.ts';
import { rejectedPage } from './pages/rejected-page.ts';
import { rulePage } from './pages/rule-page.ts';
import { searchPage } from './pages/search-page.ts';
import type { Approver, FoundView } from './ports.ts';

/** Makes a page for somebody who may see it. */
export type MakePage = (c: Ctx, frame: Frame, approver: Approver) => Promise<Html>;

/** A text of the query without the blanks around it; undefined when there is none. */
const asked = (c: Ctx, name: string): string | undefined => c.req.query(name)?.trim() || undefined;

/** The pages of the approval side by their paths (rules-gaps 8). */
export const PAGES: readonly (readonly [path: string, make: MakePage])[] = [
  [
    '/approval',
    async (c, frame, approver) => {
      const [scope, text] = [asked(c, 'scope'), asked(c, 'text')];
      const filter = { ...(scope && { scope }), ...(text && { text }) };
      const { scopes } = await approver.inbox(filter);
      return inboxPage(frame, { scopes, granted: approver.scopes, filter });
    },
  ],
  [
    '/approval/rules/:id',
    async (c, frame, approver) => {
      const rule = await approver.show(c.req.param('id')!);
      return rulePage(frame, { rule, wholeMail: c.req.query('mail') === 'whole' });
    },
  ],
  [
    '/approval/recheck',
    async (c, frame, approver) => {
      const scope = asked(c, 'scope');
      const found = await approver.recheck(scope === undefined ? {} : { scope });
      return recheckPage(frame, { found, granted: approver.scopes, scope });
    },
  ],
  [
    '/approval/rejected',
    async (c, frame, approver) => {
      const scope = asked(c, 'scope') ?? (await approver.unlocked())[0] ?? approver.scopes[0]!;
      const [q, after] = [asked(c, 'q'), asked(c, 'after')];
      const found = await approver.rejected({ scope, ...(q && { q }), ...(after && { after }), limit: PAGE });
      return rejectedPage(frame, { found, granted: approver.scopes, scope, q: q ?? '' });
    },
  ],
  ['/approval/search', searched],
];

const PAGE = 50;
/** As many as one search takes (contract 6.5). */
const SCOPES_A_SEARCH = 20;
/** Of each scope. */
const REJECTED_FOUND = 10;

async function searched(c: Ctx, frame: Frame, approver: Approver): Promise<Html> {
  const [scope, text, day] = [asked(c, 'scope'), asked(c, 'text'), asked(c, 'day')];
  const proposals = c.req.query('with') !== 'confirmed';
  const form = { granted: approver.scopes, scope, text: text ?? '', day: day ?? '', proposals };
  if (text === undefined) return searchPage(frame, form);
  // Without a choice a scope that is locked must not take the others with it; one that was named is refused.
  const scopes = scope === undefined ? await approver.unlocked() : [scope];
  const locked = scope === undefined ? approver.scopes.filter(one => !scopes.includes(one)) : [];
  const bundles: FoundView['bundles'][number][] = [];
  for (let at = 0; at < scopes.length; at += SCOPES_A_SEARCH) {
    const some = scopes.slice(at, at + SCOPES_A_SEARCH);
    bundles.push(...(await approver.search({ scopes: some, text, as_of: day, include_proposals: proposals })).bundles);
  }
  const refused = proposals ? scopes : [];
  const lists = await Promise.all(
    refused.map(one => approver.rejected({ scope: one, q: text.slice(0, 500), match: 'any', limit: REJECTED_FOUND })),
  );
  return searchPage(frame, { ...form, found: { bundles, rejected: lists.flatMap(list => list.rules), locked } });
}
