import { META_SKILL_ID } from '../../pages/index.ts';
import type { Draft } from './drafts.ts';
import { pathParts, segmentOf, skillOfFolder } from './names.ts';

/** Where the skill page of an id lies. */
export const skillPageId = (skill: string): string => `markdown/skills/${segmentOf(skill)}.md`;

/**
 * The page id of a draft: where it lies already when that is where pages lie, else below its skill, with the folders of
 * the note under the one that gave it its skill (E137).
 */
export function pageIdOf(draft: Draft, id: string): string {
  const { kind, skill, file } = draft;
  if (kind === 'skill' && id === 'escurel') return META_SKILL_ID;
  if (draft.pageId !== null) return draft.pageId;
  if (kind === 'skill') return skillPageId(id);
  const below = `markdown/instances/${segmentOf(skill)}`;
  if (kind === 'instance') return `${below}/${segmentOf(id)}.md`;
  const { folders, name } = pathParts(file.path);
  const kept = folders.length > 0 && skill === skillOfFolder(folders[0]!) ? folders.slice(1) : folders;
  return `${[below, ...kept.map(segmentOf), segmentOf(name)].join('/')}.md`;
}

/**
 * Hands out page ids once each, also for file systems that do not tell case apart. `holder` is who has the id already
 * when a number had to be added.
 */
export function pageIds(): (
  wanted: string,
  file: string,
) => { readonly pageId: string; readonly holder: string | null } {
  const taken = new Map<string, string>();
  return (wanted, file) => {
    const holder = taken.get(folded(wanted)) ?? null;
    let pageId = wanted;
    for (let count = 2; taken.has(folded(pageId)); count++) pageId = wanted.replace(/\.md$/u, `-${count}.md`);
    taken.set(folded(pageId), file);
    return { pageId, holder };
  };
}

const folded = (pageId: string): string => pageId.normalize('NFC').toLowerCase();
