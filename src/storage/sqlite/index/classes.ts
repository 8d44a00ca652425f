import type { AclBlock } from '../../../auth/schema.ts';
import type { PageFacts } from '../../../pages/model.ts';
import type { AccessClass } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';

export interface AccessClasses {
  /** Id of the class of such pages, made when it is new. */
  idFor(facts: PageFacts): number;
  all(): readonly AccessClass[];
  /** Reads the table again, after a transaction was rolled back. */
  reload(): void;
}

interface Row {
  id: number;
  page_type: AccessClass['pageType'];
  skill: string;
  acl: string;
  unreadable: number;
}

/** The access classes of one index, kept in memory as well. `onNew` hears of each one that is made. */
export function accessClasses(db: Db, onNew: () => void): AccessClasses {
  const select = db.prepare<[], Row>('SELECT id, page_type, skill, acl, unreadable FROM access_class ORDER BY id');
  const insert = db.prepare<[string, string, string, number]>(
    'INSERT INTO access_class (page_type, skill, acl, unreadable) VALUES (?, ?, ?, ?)',
  );
  let ids = new Map<string, number>();
  let classes: AccessClass[] = [];
  /** A page is asked about several times in a row. */
  let last: { readonly facts: PageFacts; readonly id: number } | undefined;

  function reload(): void {
    last = undefined;
    const rows = select.all();
    ids = new Map(rows.map(row => [keyOf(row.page_type, row.skill, row.acl, row.unreadable === 1), row.id]));
    classes = rows.map(row => ({
      id: row.id,
      pageType: row.page_type,
      skill: row.skill,
      acl: JSON.parse(row.acl) as AclBlock,
      unreadable: row.unreadable === 1,
    }));
  }
  reload();

  function find({ pageType, skill, acl, unreadable }: PageFacts): number {
    const text = aclText(acl);
    const key = keyOf(pageType, skill, text, unreadable);
    const known = ids.get(key);
    if (known !== undefined) return known;
    const id = Number(insert.run(pageType, skill, text, unreadable ? 1 : 0).lastInsertRowid);
    ids.set(key, id);
    classes = [...classes, { id, pageType, skill, acl, unreadable }];
    onNew();
    return id;
  }

  return {
    idFor(facts) {
      if (last?.facts !== facts) last = { facts, id: find(facts) };
      return last.id;
    },
    all: () => classes,
    reload,
  };
}

const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

/** One text for one block, whatever the order of its verbs. */
function aclText(acl: AclBlock): string {
  if (acl === null || acl === 'closed') return JSON.stringify(acl);
  return JSON.stringify(Object.fromEntries(Object.entries(acl).sort(([a], [b]) => (a < b ? -1 : 1))));
}
