import { setTimeout as sleep } from 'node:timers/promises';
import { StorageRefusal } from '../../src/storage/sqlite/index.ts';
import { note, openWorld, put } from './world.ts';

/** Creates 20 pages called after `name`, trying to get the folder until it can; prints each acknowledged id. */
const [dataDir, name, hold] = process.argv.slice(2) as [string, string, string?];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const world = await openWhenFree();
say('open');
for (let n = 0; n < 20; n++) {
  const pageId = `markdown/instances/note/${name}-${n}.md`;
  const result = await world.storage.pages.commit({ puts: [put(pageId, note(`${name}-${n}`, 'text'))] });
  if (result.committed) say(`acknowledged ${pageId}`);
}
say('done');
if (hold === 'hold') setInterval(() => undefined, 1000);
else await world.storage.close();

async function openWhenFree() {
  for (;;) {
    try {
      return await openWorld({}, dataDir);
    } catch (error) {
      if (!(error instanceof StorageRefusal)) throw error;
      say(`refused ${error.code} ${error.pid}`);
      await sleep(50);
    }
  }
}
