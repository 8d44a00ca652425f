import type { ChangeSet, CommitResult, PageMove, PagePurge, PageStore, Project } from '../../../pages/ports.ts';
import type { Db } from '../database.ts';
import type { Derived } from '../index/rows.ts';
import type { StepHook } from '../steps.ts';
import type { DurableView } from './durable-view.ts';
import type { GroupCommit } from './group-commit.ts';
import { foldersOf, idClash } from './id-clash.ts';
import { pageHistory } from './page-history.ts';
import { pageRemover } from './remove-page.ts';
import { prepare, versionWriter, type Prepared } from './write-version.ts';

export interface PageStoreOptions {
  readonly db: Db;
  /** Where versions are read: only durable ones are in there. */
  readonly view: DurableView;
  readonly project: Project;
  readonly group: GroupCommit;
  readonly step: StepHook;
  /** Hears of every version and removal inside its transaction. */
  readonly onWritten: (derived: Derived) => void;
}

/** A change set with everything derived that its transaction writes. */
interface Plan {
  readonly puts: readonly Prepared[];
  readonly moves: readonly { readonly move: PageMove; readonly arrival: Prepared }[];
  readonly purges: readonly PagePurge[];
  /** Heads that must still be as they were planned on. */
  readonly bases: readonly { readonly pageId: string; readonly base: number; readonly sha256?: string }[];
  /** Ids that get a version. */
  readonly targets: readonly string[];
}

/** Page versions in state.sqlite. */
export function pageStore({ db, view, project, group, step, onWritten }: PageStoreOptions): PageStore {
  const headOf = db.prepare<[string], { version: number; sha256: string }>(
    'SELECT version, sha256 FROM page_head WHERE page_id = ?',
  );
  const leaving = db.prepare<[string, number], { content: string; archived: number }>(
    'SELECT content, archived FROM page_version WHERE page_id = ? AND version = ?',
  );
  const clash = idClash(db);
  const write = versionWriter(db);
  const remover = pageRemover(db, project, write);

  function plan({ puts, moves = [], purges = [] }: ChangeSet): Plan {
    const arrivals = moves.map(move => ({ move, arrival: arrivalOf(move) }));
    return {
      puts: puts.map(put => prepare(project, put)),
      moves: arrivals,
      purges,
      bases: [
        ...puts,
        ...purges,
        ...arrivals.flatMap(({ move, arrival }) => [
          { pageId: move.from, base: move.base, sha256: arrival.sha256 },
          { pageId: move.to, base: move.over },
        ]),
      ],
      targets: [...puts.map(put => put.pageId), ...moves.map(move => move.to)],
    };
  }

  /** The text does not change with the id; who moves a page is not named as its writer (E441). */
  function arrivalOf({ from, base, to, over, message, committedAt, author }: PageMove): Prepared {
    const left = leaving.get(from, base);
    const content = left?.content ?? '';
    const put = {
      pageId: to,
      base: over + base,
      content,
      author: author ?? null,
      origin: author ?? 'agent',
      message,
      committedAt,
    } as const;
    return prepare(project, left?.archived === 1 ? { ...put, archive: true } : put);
  }

  function commit(planned: Plan): CommitResult {
    const { stale, blocked } = refusals(planned);
    if (stale.length > 0 || blocked.length > 0) return { committed: false, stale, blocked };
    const written = [
      ...planned.puts.map(write),
      ...planned.moves.flatMap(({ move, arrival }) => remover.move(move, arrival)),
      ...planned.purges.map(remover.purge),
    ];
    step('state.insert');
    for (const derived of written) onWritten(derived);
    const versions = written.flatMap(({ pageId, version }) => (version > 0 ? [[pageId, version] as const] : []));
    return { committed: true, versions: new Map(versions) };
  }

  function refusals({ bases, targets }: Plan): { stale: string[]; blocked: string[] } {
    const stale = new Set<string>();
    const blocked = new Set<string>();
    const seen = new Set<string>();
    const existing = new Set<string>();
    for (const { pageId, base, sha256 } of bases) {
      const current = headOf.get(pageId);
      const moved = base !== (current?.version ?? 0) || (sha256 !== undefined && sha256 !== current?.sha256);
      // A second change of one page in a set is planned on a version that the first one makes old.
      if (moved || seen.has(pageId)) stale.add(pageId);
      seen.add(pageId);
      if (current) existing.add(pageId);
    }
    const fresh = new Set(targets.filter(pageId => !existing.has(pageId)));
    for (const pageId of fresh) {
      if (clash.blocks(pageId) || foldersOf(pageId).some(folder => fresh.has(folder))) blocked.add(pageId);
    }
    return { stale: [...stale], blocked: [...blocked] };
  }

  return {
    ...pageHistory(view, db),
    async commit(changes) {
      const planned = plan(changes);
      const weight = [...planned.puts, ...planned.moves.map(({ arrival }) => arrival)].reduce(
        (sum, one) => sum + one.content.length,
        0,
      );
      return group.run(() => commit(planned), weight);
    },
  };
}
