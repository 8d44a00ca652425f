import { readFile, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { StartRefusal } from '../kernel/start-refusal.ts';
import { META_SKILL, META_SKILL_ID, metaSkillText, normalizePageId, pageIdProblem } from '../pages/index.ts';
import type { PageIndex, PagePut, PageStore, StoredPage } from '../pages/ports.ts';
import { SEEDED_PAST, seedHistory } from './seed-history.ts';

const BATCH = 200;

interface Seedling {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly clock: Clock;
  readonly log: Log;
}

/** Makes sure that the tenant has its meta-skill, unless a page of its own already is it (E159). */
export async function plantMetaSkill(into: Seedling): Promise<void> {
  const [existing] = await into.index.bySlug(META_SKILL, null, 'skill', null);
  if (existing || (await into.store.head(META_SKILL_ID))) return;
  await into.store.commit({ puts: [put(META_SKILL_ID, metaSkillText(), into.clock)] });
}

/**
 * Stores every `*.md` of a folder that opens a header as `markdown/<relative path>`, skills before instances (E156), on
 * top of the history that the folder brings (E158).
 * A page that is already there stays as it is. Resolves to how many were new.
 */
export async function seedFolder(folder: string, into: Seedling): Promise<number> {
  let planted = 0;
  let batch: PagePut[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const result = await into.store.commit({ puts: batch });
    if (!result.committed) throw new Error(`seed pages changed while they were planted: ${result.stale.join(', ')}`);
    planted += batch.length;
    batch = [];
  };
  await seedHistory(folder, into);
  for (const path of await markdownFiles(folder)) {
    const text = await readFile(join(folder, path), 'utf8');
    const pageId = normalizePageId(`markdown/${path}`);
    const problem = text.trimStart().startsWith('---') ? pageIdProblem(pageId) : 'no header';
    if (problem) into.log.warn({ file: path, reason: problem }, 'seed file skipped');
    else {
      const head = await into.store.head(pageId);
      if (!head || isPastOf(head, text)) batch.push({ ...put(pageId, text, into.clock), base: head?.version ?? 0 });
    }
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return planted;
}

/** The page's file stands on the history that was planted before it, unless it is the last state of it. */
const isPastOf = (head: StoredPage, text: string): boolean => head.message === SEEDED_PAST && head.content !== text;

async function markdownFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefusal('seed-folder-unreadable', `CAIRN_SEED_DIR: ${folder} cannot be read (${error.code})`);
  });
  const paths = names.filter(name => name.endsWith('.md')).map(name => name.split(sep).join('/'));
  const rank = (path: string): number => (path.startsWith('skills/') ? 0 : path.startsWith('instances/') ? 1 : 2);
  return paths.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const put = (pageId: string, content: string, clock: Clock): PagePut => ({
  pageId,
  base: 0,
  content,
  author: null,
  origin: 'system',
  message: null,
  committedAt: clock().toISOString(),
});
