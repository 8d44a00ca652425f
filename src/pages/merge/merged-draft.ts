import type { Json } from '../../kernel/json.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { PagesDeps } from '../deps.ts';
import { readablePast, versionNumber } from '../history/past.ts';
import type { Draft, Head } from '../update-guards.ts';
import { mergeTexts } from './three-way.ts';

/**
 * The draft joined with what happened since its base; null when that cannot be told or is no clean merge. Clean: it parses, and
 * its header is that of the head or that of the draft (E377). Any stored live version can be a base (deviations, E379).
 */
export async function mergedDraft(
  deps: Pick<PagesDeps, 'store' | 'project' | 'access'>,
  principal: Principal,
  head: Head,
  draft: Draft,
  baseVersion: string,
): Promise<string | null> {
  if (head.page === null || head.stored === undefined || draft.facts.unreadable) return null;
  // A base that the caller may not read would show through what becomes of a guess at it.
  const base = await readablePast(deps, principal, await deps.store.version(draft.pageId, versionNumber(baseVersion)));
  if (!base) return null;
  const text = await mergeTexts(base.stored.content, head.stored.content, draft.content);
  const { facts, frontmatter } = deps.project(draft.pageId, text);
  const clean = [head.page.frontmatter, draft.frontmatter].map(canonical).includes(canonical(frontmatter));
  return clean && !facts.unreadable ? text : null;
}

/** One spelling for equal values: the order of keys does not count. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
