import type { Draft } from './drafts.ts';
import { noteId, pathParts } from './names.ts';

/**
 * Gives every draft its id. Pages keep theirs, whatever it is. A note is called as it is linked: by its name, or by its
 * path when every link to it is written so. When a name is taken the note is called by its path; who is nearer to the
 * top of the folder comes first (L13).
 */
export function giveIds(drafts: readonly Draft[], linked: ReadonlySet<string>): ReadonlyMap<Draft, string> {
  const ids = new Map<Draft, string>();
  const taken = new Set<string>();
  for (const draft of drafts) {
    if (draft.kind === 'note' && draft.ownId === null) continue;
    const id = draft.ownId ?? noteId(draft.name);
    ids.set(draft, id);
    if (draft.kind !== 'skill') taken.add(id);
  }
  for (const draft of drafts) {
    if (ids.has(draft)) continue;
    const name = noteId(draft.name);
    const path = noteId(pathParts(draft.file.path).bare);
    const wanted = linked.has(path) && !linked.has(name) ? path : name;
    let id = taken.has(wanted) ? path : wanted;
    for (let count = 2; taken.has(id); count++) id = `${path} (${count})`;
    ids.set(draft, id);
    taken.add(id);
  }
  return ids;
}
