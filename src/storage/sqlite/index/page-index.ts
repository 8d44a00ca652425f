import type { IndexedPage, LinkRow, PageIndex } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { IndexFill } from './fill.ts';
import type { IndexWriter } from './index-writer.ts';
import { instanceReads } from './instances.ts';
import { keptReads } from './kept-reads.ts';
import { bestFirst } from './page-order.ts';
import { indexedPage, PAGE_COLUMNS, pageStatement } from './page-rows.ts';
import { pastReads } from './past-reads.ts';
import { SLOTS } from './tables.ts';

interface LinkColumns {
  src_page: string;
  src_anchor: string | null;
  src_field: string | null;
  link_skill: string;
  target: string;
  dst_anchor: string | null;
  link_version: string | null;
}

const LINK_COLUMNS = `p.page_id AS src_page, l.src_anchor, l.src_field, l.link_skill, l.target, l.dst_anchor, l.link_version`;

/** Derived reads on the writer's own connection; they wait while the fill has rows to bring. */
export function pageIndex(db: Db, writer: IndexWriter, fill: IndexFill): PageIndex {
  const byId = pageStatement<[string]>(db, `SELECT ${PAGE_COLUMNS} FROM page p WHERE p.page_id = ?`);
  const bySlug = pageStatement<[slug: string, ...(string | null)[]]>(
    db,
    `SELECT ${PAGE_COLUMNS} FROM page p
     WHERE p.slug = ? AND (? IS NULL OR p.skill = ?) AND (? IS NULL OR p.page_type = ?)
       AND (p.scenario IS NULL OR p.scenario = ?)`,
  );
  const byIds = pageStatement<[string]>(
    db,
    `SELECT ${PAGE_COLUMNS} FROM page p WHERE p.page_id IN (SELECT value FROM json_each(?))`,
  );
  const bySlugs = pageStatement<[string, string | null]>(
    db,
    `SELECT ${PAGE_COLUMNS} FROM page p
     WHERE p.slug IN (SELECT value FROM json_each(?)) AND (p.scenario IS NULL OR p.scenario = ?)`,
  );
  const skillPages = pageStatement<[]>(
    db,
    `SELECT ${PAGE_COLUMNS} FROM page p WHERE p.page_type = 'skill' ORDER BY p.page_id`,
  );
  const holders = pageStatement<[string]>(
    db,
    `SELECT ${PAGE_COLUMNS} FROM page p WHERE p.credential = ? AND p.scenario IS NULL ORDER BY p.page_id`,
  );
  const linksFrom = db.prepare<[string], LinkColumns>(
    `SELECT ${LINK_COLUMNS} FROM page p JOIN link l ON l.page_no = p.page_no WHERE p.page_id = ? ORDER BY l.ord`,
  );
  const linksTo = db.prepare<[string, string], LinkColumns>(
    `SELECT ${LINK_COLUMNS} FROM link l JOIN page p ON p.page_no = l.page_no
     WHERE l.target = ? AND l.link_skill IN (SELECT value FROM json_each(?)) ORDER BY p.page_id, l.ord`,
  );
  const linksOfFields = db.prepare<[string], LinkColumns>(
    `SELECT ${LINK_COLUMNS} FROM link l JOIN page p ON p.page_no = l.page_no
     WHERE l.src_field IN (SELECT value FROM json_each(?)) ORDER BY p.page_id, l.ord`,
  );
  const anchors = db.prepare<[string], { anchor: string }>(
    `SELECT b.anchor FROM page p JOIN block b ON b.block_id >= p.page_no * ${SLOTS} AND b.block_id < (p.page_no + 1) * ${SLOTS}
     WHERE p.page_id = ? AND b.anchor <> '' ORDER BY b.ord`,
  );
  const pages = keptReads<IndexedPage | undefined>(writer.changes);
  const twins = keptReads<readonly IndexedPage[]>(writer.changes);
  const held = keptReads<readonly IndexedPage[]>(writer.changes);
  const instances = instanceReads(db, writer.classes.all);
  const past = pastReads(db, instances.ofMoment);
  const ready = async (): Promise<void> => {
    if (!fill.complete()) await fill.whenComplete;
  };

  return {
    async page(pageId) {
      if (!fill.complete()) await fill.whenComplete;
      return pages.of(pageId, () => {
        const row = byId.get(pageId);
        return row && indexedPage(row);
      });
    },
    async bySlug(slug, skill, pageType, scenario) {
      if (!fill.complete()) await fill.whenComplete;
      const type = pageType ?? (skill === null ? null : 'instance');
      return twins.of(slugKey(slug, skill, type, scenario), () =>
        bestFirst(bySlug.all(slug, skill, skill, type, type, scenario).map(indexedPage)),
      );
    },
    async pages(pageIds) {
      await ready();
      const found = pages.all(pageIds, undefined, missing => {
        const rows = byIds.all(JSON.stringify(missing)).map(indexedPage);
        return new Map(rows.map(row => [row.pageId, row]));
      });
      return new Map([...found].flatMap(([pageId, row]) => (row ? [[pageId, row] as const] : [])));
    },
    async bySlugs(slugs, scenario) {
      await ready();
      const keys = new Map(slugs.map(slug => [slugKey(slug, null, null, scenario), slug]));
      const found = twins.all([...keys.keys()], [], missing => {
        const rows = bySlugs.all(JSON.stringify(missing.map(key => keys.get(key)!)), scenario).map(indexedPage);
        const grouped = new Map<string, IndexedPage[]>();
        for (const row of rows) {
          const key = slugKey(row.slug, null, null, scenario);
          const same = grouped.get(key);
          if (same) same.push(row);
          else grouped.set(key, [row]);
        }
        return new Map([...grouped].map(([key, same]) => [key, bestFirst(same)]));
      });
      return new Map([...found].map(([key, rows]) => [keys.get(key)!, rows]));
    },
    async instances(query) {
      await ready();
      return instances.now(query);
    },
    async instancesThen(query) {
      await ready();
      return past.instancesThen(query);
    },
    once: {
      async named(slug, asOf) {
        await ready();
        return past.once.named(slug, asOf);
      },
      async linked(slug, linkSkills, asOf) {
        await ready();
        return past.once.linked(slug, linkSkills, asOf);
      },
      async skills(asOf) {
        await ready();
        return past.once.skills(asOf);
      },
    },
    async linksFrom(pageId) {
      await ready();
      return linksFrom.all(pageId).map(linkRow);
    },
    async linksTo(slug, linkSkills) {
      await ready();
      return linksTo.all(slug, JSON.stringify(linkSkills)).map(linkRow);
    },
    async linksOfFields(fields) {
      await ready();
      return linksOfFields.all(JSON.stringify(fields)).map(linkRow);
    },
    async blockAnchors(pageId) {
      await ready();
      return anchors.all(pageId).map(row => row.anchor);
    },
    async credentialHolders(subject) {
      await ready();
      return held.of(subject, () => holders.all(subject).map(indexedPage));
    },
    async skillPages() {
      await ready();
      return skillPages.all().map(indexedPage);
    },
    async accessClasses() {
      await ready();
      return writer.classes.all();
    },
    policyRevision: writer.revision,
  };
}

const slugKey = (...parts: readonly (string | null)[]): string => JSON.stringify(parts);

const linkRow = (row: LinkColumns): LinkRow => ({
  srcPage: row.src_page,
  srcAnchor: row.src_anchor,
  srcField: row.src_field,
  linkSkill: row.link_skill,
  target: row.target,
  dstAnchor: row.dst_anchor,
  linkVersion: row.link_version,
});
