import type { LinkRow } from '../../../pages/ports.ts';
import { edgesOf } from '../../../pages/index.ts';
import type { Db } from '../database.ts';
import type { Derived } from './rows.ts';
import type { NewestVersions } from './versions.ts';

/** What a page was found by. */
export interface PastFacts {
  readonly page_type: string;
  readonly skill: string;
  readonly slug: string | null;
  readonly at: string | null;
  readonly scenario: string | null;
}

export type PastEdge = Pick<LinkRow, 'target' | 'linkSkill'>;

/**
 * Keeps what pages were found by and do not say any more, with the commit that ended it. Where to look is all that it tells: what
 * a page was, the stored versions say. Runs inside the caller's transaction.
 */
export interface PastWriter {
  /** The newest version, or its end, takes the place of one that said this. */
  ended(pageId: string, facts: PastFacts, until: string): void;
  /** Of these edges those that are not among `now`. */
  unlinked(pageId: string, before: readonly PastEdge[], now: readonly PastEdge[], until: string): void;
  /** Makes the rows of a page anew from all its versions. */
  again(derived: Pick<Derived, 'pageId' | 'version'>): void;
  drop(pageId: string): void;
}

export function pastWriter(db: Db, versionsOf: NewestVersions['of']): PastWriter {
  // Of two ends of one thing the later one counts: what lies before it is looked at either way.
  const end = db.prepare<[string, string, string, string, string, string, string]>(
    `INSERT INTO past_page (page_id, page_type, skill, slug, at, scenario, until) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`,
  );
  const unlink = db.prepare<[string, string, string, string]>(
    `INSERT INTO past_link (target, link_skill, page_id, until) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET until = max(until, excluded.until)`,
  );
  const dropPage = db.prepare<[string]>('DELETE FROM past_page WHERE page_id = ?');
  const dropLinks = db.prepare<[string]>('DELETE FROM past_link WHERE page_id = ?');

  function ended(pageId: string, { page_type, skill, slug, at, scenario }: PastFacts, until: string): void {
    end.run(pageId, page_type, skill, slug ?? '', at ?? '', scenario ?? '', until);
  }

  function unlinked(pageId: string, before: readonly PastEdge[], now: readonly PastEdge[], until: string): void {
    if (before.length === 0) return;
    const kept = new Set(now.map(keyOf));
    for (const edge of before) if (!kept.has(keyOf(edge))) unlink.run(edge.target, edge.linkSkill, pageId, until);
  }

  function drop(pageId: string): void {
    dropPage.run(pageId);
    dropLinks.run(pageId);
  }

  return {
    ended,
    unlinked,
    drop,
    again({ pageId, version }) {
      drop(pageId);
      if (version < 2) return;
      let before: { facts: PastFacts; edges: readonly PastEdge[] } | undefined;
      for (const { projection, archived, committedAt } of versionsOf(pageId)) {
        const now = archived ? undefined : { facts: pastFacts(projection.facts), edges: edgesOf(projection.links) };
        if (before && (!now || !sameFacts(before.facts, now.facts))) ended(pageId, before.facts, committedAt);
        if (before) unlinked(pageId, before.edges, now?.edges ?? [], committedAt);
        before = now;
      }
    },
  };
}

const keyOf = ({ target, linkSkill }: PastEdge): string => `${linkSkill}\0${target}`;

export const pastFacts = ({ pageType, skill, slug, at, scenario }: Derived['projection']['facts']): PastFacts => ({
  page_type: pageType,
  skill,
  slug,
  at,
  scenario,
});

export const sameFacts = (a: PastFacts, b: PastFacts): boolean =>
  a.page_type === b.page_type && a.skill === b.skill && a.slug === b.slug && a.at === b.at && a.scenario === b.scenario;
