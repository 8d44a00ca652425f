import type { Principal } from '../../kernel/principal.ts';
import type { PagesDeps } from '../deps.ts';
import type { PageProjection, StoredPage } from '../ports.ts';

export type PastDeps = Pick<PagesDeps, 'store' | 'index' | 'access' | 'project'>;

/** A version with what its header says. */
export interface Past extends PageProjection {
  readonly stored: StoredPage;
}

/**
 * A stored version as one caller may see it: null when it is archived, or when its own header keeps them out. Whether they
 * may read the page as it is now is asked before.
 */
export async function readablePast(
  deps: Pick<PastDeps, 'access' | 'project'>,
  principal: Principal,
  stored: StoredPage | undefined,
): Promise<Past | null> {
  if (!stored || stored.archived) return null;
  const past = { ...deps.project(stored.pageId, stored.content), stored };
  return (await deps.access.mayReadHeader(principal, past)) ? past : null;
}

/** Whether the caller may read the live page of that id, which opens its history to them. */
export async function mayReadNow(deps: PastDeps, principal: Principal, pageId: string): Promise<boolean> {
  const page = await deps.index.page(pageId);
  return page !== undefined && (await deps.access.reader(principal)).mayRead(page);
}

/** `v42` as its number; NaN for anything else. */
export const versionNumber = (version: string): number => (/^v[1-9]\d{0,8}$/.test(version) ? +version.slice(1) : NaN);
