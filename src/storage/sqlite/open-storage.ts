import { pageFiles } from './files.ts';
import { openDataFolder, type DataFolder } from './folder/data-folder.ts';
import { openDerived } from './index/open-derived.ts';
import { inspection } from './inspect/inspection.ts';
import { compactor } from './state/compact.ts';
import { groupCommit } from './state/group-commit.ts';
import { groupMembers } from './state/group-members.ts';
import { openState, type State } from './state/open-state.ts';
import { startRetention } from './state/retention.ts';
import { pageStore } from './state/page-store.ts';
import { tenantStore } from './state/tenant-store.ts';
import type { Committed, OpenStorageOptions, Storage } from './storage.ts';
import { vectorsBeside } from './vectors/open-vectors.ts';
import { checkpointer } from './wal/checkpointer.ts';

/**
 * Takes the data folder for this process and opens the store in it; nothing here depends on how many pages there are. Then,
 * in the background, publishes what a crash left over and takes in edits from outside. Rejects with a StorageRefusal:
 * `data-folder-locked`, `data-folder-unusable`, `schema-too-new`.
 */
export async function openStorage(options: OpenStorageOptions): Promise<Storage> {
  const folder = openDataFolder(options.dataDir, { clock: options.clock });
  let state: State | undefined;
  try {
    state = openState(folder.file('state.sqlite'));
    return assemble(folder, state, options);
  } catch (error) {
    state?.close();
    folder.release();
    throw error;
  }
}

function assemble(folder: DataFolder, state: State, options: OpenStorageOptions): Storage {
  const { project, clock, log, step = () => undefined } = options;
  const listeners: ((committed: Committed) => void)[] = [];
  const tell = (committed: Committed): void => {
    for (const listener of listeners) {
      try {
        listener(committed);
      } catch (error) {
        log.error({ err: error }, 'a listener to commits failed');
      }
    }
  };
  const wals = checkpointer({
    quiet: task => group.between(() => derived.atRest(task)),
    log,
  });
  const derived = openDerived(folder.file('index.sqlite'), {
    state: state.db,
    project,
    step,
    log,
    onFlushed: db => wals.check(db),
    threadsFrom: options.threadsFrom,
  });
  let durableSeq = derived.newestSeq();

  const group = groupCommit({
    db: state.db,
    sync: state.wal.sync,
    step,
    onCommitting: state.view.hold,
    onUndone() {
      state.view.release();
      derived.forget();
    },
    onDurable() {
      state.view.release();
      const batch = derived.take();
      durableSeq = batch.at(-1)?.seq ?? durableSeq;
      files.wake();
      wals.check(state.db);
      older.wake();
      derived.apply(batch, durableSeq);
      for (const { pageId, version, origin, archived, projection } of batch)
        if (version > 0) tell({ pageId, version, origin, blocks: archived ? 0 : projection.blocks.length });
    },
  });
  const index = derived.serve(group);
  const older = compactor({
    db: state.db,
    view: state.view.db,
    group,
    onWritten: () => wals.check(state.db),
    log,
  });
  older.wake();
  const retention =
    options.keepHistoryDays === undefined
      ? undefined
      : startRetention({ db: state.db, view: state.view.db, group, keepDays: options.keepHistoryDays, clock, log });
  const vectors = vectorsBeside(options.vectors, {
    path: folder.file('vectors.sqlite'),
    index: derived.db,
    ready: index.ready,
    onWritten: db => wals.check(db),
    clock,
    log,
  });
  const pages = pageStore({ db: state.db, view: state.view, project, group, step, onWritten: derived.add });

  const lanes = options.lanes(folder.path, step);
  const files = pageFiles({
    db: state.db,
    group,
    pages,
    lanes,
    durableSeq: () => durableSeq,
    clock,
    log,
    step,
    watch: options.watch === true,
  });

  const inspect = inspection({
    state: state.db,
    store: pages,
    derived,
    ready: index.ready,
    group,
    publishedSeq: files.publishedSeq,
    reconcile: files.reconcile,
    clock,
    log,
  });

  let closing = false;
  return {
    pages: {
      ...pages,
      commit: changes => (closing ? Promise.reject(new Error('the page store is closed')) : pages.commit(changes)),
    },
    index: index.pages,
    lexical: index.lexical,
    vectors,
    groups: groupMembers(state.db, group),
    tenants: tenantStore(state.db, group),
    lanes: { ...lanes, up: files.up, missing: files.missing },
    up: () => index.complete() && !group.broken(),
    onCommitted: callback => void listeners.push(callback),
    whenDrained: files.whenSettled,
    reconcile: files.reconcile,
    ledger: inspect.ledger,
    tables: inspect.tables,
    rebuild: inspect.rebuild,
    async close() {
      closing = true;
      const rebuilt = inspect.stop();
      await files.stopTaking();
      await older.stop();
      await retention?.stop();
      await group.close();
      await files.close();
      await rebuilt;
      const vectorsStopped = vectors.stop();
      await index.stop();
      await vectorsStopped;
      derived.flush();
      await wals.stop();
      vectors.close();
      derived.close();
      state.close();
      folder.release();
    },
  };
}
