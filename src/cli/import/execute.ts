import { META_SKILL_ID } from '../../pages/index.ts';
import { sha256 } from '../../kernel/hash.ts';
import type { PlannedPage } from './model.ts';

/** How pages get into the data folder; `app/import.ts` opens one. */
export interface Importer {
  existing(pageId: string): Promise<{ readonly sha256: string } | undefined>;
  write(
    batch: readonly { readonly pageId: string; readonly content: string }[],
  ): Promise<readonly { readonly pageId: string; readonly outcome: string; readonly reason?: string }[]>;
}

/**
 * `kept`: the server has a skill page where the import would make one up. `differs`: another text is stored and was not
 * touched.
 */
export type Outcome = 'created' | 'unchanged' | 'replaced' | 'kept' | 'differs' | 'refused';

export interface PageResult {
  readonly pageId: string;
  readonly from: string | null;
  readonly outcome: Outcome;
  readonly reason?: string;
}

const BATCH = 64;

interface ExecuteOptions {
  /** Write a new version where another text is stored. */
  readonly replace: boolean;
  readonly progress: (done: number, total: number) => void;
}

/** Writes the planned pages in their order. What is stored already is never overwritten unless asked for (L18). */
export async function executeImport(
  pages: readonly PlannedPage[],
  importer: Importer,
  { replace, progress }: ExecuteOptions,
): Promise<readonly PageResult[]> {
  const results: PageResult[] = [];
  for (let at = 0; at < pages.length; at += BATCH) {
    progress(at, pages.length);
    results.push(...(await writeBatch(pages.slice(at, at + BATCH), importer, replace)));
  }
  progress(pages.length, pages.length);
  return results;
}

async function writeBatch(pages: readonly PlannedPage[], importer: Importer, replace: boolean): Promise<PageResult[]> {
  const stored = await Promise.all(pages.map(({ pageId }) => importer.existing(pageId)));
  const known = new Map(pages.map((page, index) => [page.pageId, situation(page, stored[index], replace)] as const));
  const toWrite = pages.filter(({ pageId }) => ['created', 'replaced'].includes(known.get(pageId)!.outcome));
  const written =
    toWrite.length === 0 ? [] : await importer.write(toWrite.map(({ pageId, content }) => ({ pageId, content })));
  for (const { pageId, outcome, reason } of written) {
    if (outcome === 'refused') known.set(pageId, { outcome, reason: reason ?? 'refused by the store' });
  }
  return pages.map(({ pageId, from }) => ({ pageId, from, ...known.get(pageId)! }));
}

type Situation = Pick<PageResult, 'outcome' | 'reason'>;

function situation(page: PlannedPage, stored: { readonly sha256: string } | undefined, replace: boolean): Situation {
  if (!stored) return { outcome: 'created' };
  if (stored.sha256 === sha256(page.content)) return { outcome: 'unchanged' };
  if (page.from === null) return { outcome: 'kept', reason: 'the server has a page of this skill' };
  if (page.pageId === META_SKILL_ID) {
    return { outcome: 'differs', reason: 'the meta-skill is changed with update_page only' };
  }
  if (replace) return { outcome: 'replaced' };
  return { outcome: 'differs', reason: 'another text is stored; --replace writes this one as a new version' };
}
