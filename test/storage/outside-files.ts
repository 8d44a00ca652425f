import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { note, openWorld, put, tempFolder, type World, type WorldOptions } from './world.ts';

/** A store with pages, and hands in its folder. */
export interface Outside {
  readonly world: World;
  /** Path below the data folder → absolute. */
  file(path: string): string;
  edit(path: string, data: string | Uint8Array): void;
  remove(path: string): void;
  /** Closes the store, does something to the files, opens it again and waits for the first look. */
  whileStopped(act: () => void): Promise<void>;
  /** Words that live pages are found by → page ids. */
  find(word: string): Promise<string[]>;
  end(): Promise<void>;
}

export const idOf = (name: string): string => `markdown/instances/note/${name}.md`;
export const textOf = (name: string): string => note(name, `text of ${name}`);

/** Opens a store with one page a name, published. */
export async function outside(names: readonly string[], options: WorldOptions = {}): Promise<Outside> {
  const folder = tempFolder();
  const dataDir = join(folder, 'data');
  let world = await openWorld(options, dataDir);
  if (names.length > 0) await world.storage.pages.commit({ puts: names.map(name => put(idOf(name), textOf(name))) });
  await world.storage.whenDrained();
  const file = (path: string): string => join(dataDir, path);
  return {
    get world() {
      return world;
    },
    file,
    edit(path, data) {
      mkdirSync(dirname(file(path)), { recursive: true });
      writeFileSync(file(path), data);
    },
    remove: path => rmSync(file(path), { recursive: true }),
    async whileStopped(act) {
      await world.storage.close();
      act();
      world = await openWorld(options, dataDir);
      await world.storage.whenDrained().catch(() => undefined);
    },
    async find(word) {
      const scope = { all: true, allowed: [], owned: [], ownerKeys: [] };
      const filter = { scope, pageType: null, skill: null, pageId: null, asOf: null, scenario: null, clauses: [] };
      const hits = await world.storage.lexical.search([{ words: [word] }], filter, 100);
      return hits.map(hit => hit.pageId);
    },
    async end() {
      await world.storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Well below the half second after which a file counts as written to the end. */
const PAUSE_MS = 60;
const JUDGED_MS = 350;

/**
 * Saves that take a pause in the middle. `attempt` gets a page name of its own and a writer that pauses after each piece; where
 * the machine paused so long that a save looked finished, nothing can be said, and it is tried again.
 */
export async function unhurried(
  attempt: (name: string, write: (piece: () => void) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    let last: number | undefined;
    let longest = 0;
    const write = async (piece: () => void): Promise<void> => {
      piece();
      longest = Math.max(longest, Date.now() - (last ?? Date.now()));
      last = Date.now();
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    };
    try {
      return await attempt(`slow${tries}`, write);
    } catch (error) {
      if (longest < JUDGED_MS || tries === 20) throw error;
    }
  }
}
