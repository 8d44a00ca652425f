import type { Draft } from './drafts.ts';
import type { Clash, ClashKind } from './model.ts';
import { lookAlike, noteId } from './names.ts';

/** Names among the drafts that could be taken for each other, each with the ids that were given (L13). */
export function clashesOf(drafts: readonly Draft[], ids: ReadonlyMap<Draft, string>): Clash[] {
  const id = (draft: Draft): string => ids.get(draft)!;
  const clash = (kind: ClashKind, group: readonly Draft[]): Clash => ({
    kind,
    files: group.map(({ file }) => file.path),
    ids: group.map(id),
  });
  const claims = groupBy(drafts, draft =>
    isNamed(draft) ? noteId(draft.name) : draft.kind === 'skill' ? '' : id(draft),
  );
  claims.delete('');
  const sameId = groupBy(drafts, draft => `${scopeOf(draft)}::${id(draft)}`);
  const alike = groupBy(drafts, draft => `${scopeOf(draft)}::${lookAlike(id(draft))}`);
  return [
    ...[...claims.values()]
      .filter(group => group.length > 1 && group.some(isNamed))
      .map(group => clash('same-name', group)),
    ...[...sameId.values()].filter(group => group.length > 1).map(group => clash('same-id', group)),
    ...[...alike.values()].filter(group => new Set(group.map(id)).size > 1).map(group => clash('look-alike', group)),
  ];
}

/** Skills that could be taken for each other; `pageOf` names where each lies. */
export function similarSkills(skills: readonly string[], pageOf: (skill: string) => string): Clash[] {
  const mixedUp = [...groupBy(skills, lookAlike).values()].filter(group => group.length > 1);
  return mixedUp.map(group => ({ kind: 'look-alike', files: group.map(pageOf), ids: group }));
}

/** A note that is called by its name, since its header brings no id. */
const isNamed = ({ kind, ownId }: Draft): boolean => kind === 'note' && ownId === null;

/** Where an id has to be its own: bare links look for notes everywhere, typed ones for pages of one skill. */
const scopeOf = ({ kind, skill }: Draft): string => (kind === 'note' ? '' : kind === 'skill' ? 'skill' : skill);

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
