import { ownerKey } from '../../../auth/index.ts';
import type { Json, JsonObject } from '../../../kernel/json.ts';
import type { Db } from '../database.ts';

/** Longer values are compared in the headers themselves, one after the other. */
const LONGEST_VALUE = 64;
/** Keys that reads have other ways for, or that are never alike. */
const ELSEWHERE = new Set(['type', 'skill', 'id', 'at', 'title', 'name', 'description', 'scenario', 'archived']);

export interface HeaderPage {
  readonly pageType: string;
  readonly skill: string;
  readonly at: string | null;
  /** The whole header. */
  readonly frontmatter: JsonObject;
}

export interface HeaderValues {
  /**
   * Makes the rows of a page those of its header now, given the one that they were made from; `anew`: rows that should be there are
   * written again. Runs inside the caller's transaction.
   */
  change(
    pageId: string,
    old: HeaderPage | undefined,
    now: (HeaderPage & { readonly pageNo: number }) | undefined,
    anew?: boolean,
  ): void;
}

export function headerValues(db: Db): HeaderValues {
  // A row that a damaged index kept must not stop the page from being written.
  const insert = db.prepare<[string, string, string, string, number, string]>(
    'INSERT OR REPLACE INTO header_value (skill, key, value, page_id, page_no, at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare<[string, string, string, string]>(
    'DELETE FROM header_value WHERE skill = ? AND key = ? AND value = ? AND page_id = ?',
  );
  return {
    change(pageId, old, now, anew = false) {
      const after = now ? entriesOf(now) : [];
      if (!old) {
        for (const [key, value] of after) insert.run(now!.skill, key, value, pageId, now!.pageNo, now!.at ?? '');
        return;
      }
      const before = entriesOf(old);
      const kept = old.skill === now?.skill ? new Set(after.map(entry => entry.join('\0'))) : new Set<string>();
      for (const [key, value] of before) if (!kept.has(`${key}\0${value}`)) drop.run(old.skill, key, value, pageId);
      const asTheyAre = !anew && old.skill === now?.skill && old.at === now?.at;
      const there = new Set(asTheyAre ? before.map(entry => entry.join('\0')) : []);
      for (const [key, value] of after)
        if (!there.has(`${key}\0${value}`)) insert.run(now!.skill, key, value, pageId, now!.pageNo, now!.at ?? '');
    },
  };
}

/** Whether equality of a header key and a text can be looked up here. */
export const isLookedUp = ({ key, value }: Place): boolean => !ELSEWHERE.has(key) && value.length <= LONGEST_VALUE;

function entriesOf({ pageType, frontmatter }: HeaderPage): [key: string, value: string][] {
  if (pageType !== 'instance') return [];
  const places: Place[] = [];
  for (const key of Object.keys(frontmatter)) {
    const value = frontmatter[key]!;
    const text = textOf(value);
    const owner = text === null || text.includes('[[') ? ownerKey(value) : null;
    if (text !== null) places.push({ key, value: text });
    if (owner !== null) places.push(ownerPlace(key, owner));
  }
  return places.filter(isLookedUp).map(place => [place.key, place.value]);
}

export interface Place {
  readonly key: string;
  readonly value: string;
}

/** Where the pages stand whose header names that owner under that key: a subject as the text it is, a link as what it means. */
export const ownerPlace = (key: string, owner: string): Place =>
  owner.startsWith('s:') ? { key, value: owner.slice(2) } : { key: `\u0001${key}`, value: owner };

/** E206: a text as it is, a number or flag by its JSON text, nothing else. */
export function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? JSON.stringify(value) : null;
}
