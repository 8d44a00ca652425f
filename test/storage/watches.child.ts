import { createLog } from '../../src/kernel/log.ts';
import { project } from '../../src/pages/index.ts';
import { fileLanes } from '../../src/storage/lanes/index.ts';
import { openStorage } from '../../src/storage/sqlite/index.ts';

/** A store that watches its files and says what it hears of, until its input ends. */
const storage = await openStorage({
  dataDir: process.argv[2]!,
  project,
  lanes: fileLanes,
  clock: () => new Date(),
  log: createLog({ level: 'warn', env: 'test', version: '0' }),
  watch: true,
});
storage.onCommitted(({ pageId, version, origin }) => process.stdout.write(`${pageId} ${version} ${origin}\n`));
process.stdout.write('open\n');
process.stdin.resume().on('end', () => void storage.close());
