import { pino } from 'pino';
import { startServer } from '../../src/app/server.ts';
import { randomToken } from '../../src/kernel/ids.ts';
import { readSettings } from '../../src/kernel/settings/index.ts';
import { serveParent } from './child.ts';
import { CALLER } from './pages-corpus.ts';

/** Cairn as it is served, on a data folder that is filled already; the caller is no admin, quotas are never empty. */
const dataDir = process.argv[2] ?? '';
const token = randomToken();
const reading = readSettings({
  env: {
    CAIRN_AUTH_MODE: 'dev-token',
    CAIRN_DEV_IDENTITY: CALLER,
    CAIRN_DEV_MCP_TOKEN: token,
    CAIRN_PORT: '0',
    CAIRN_DATA_DIR: dataDir,
  },
  cwd: dataDir,
  readFile: () => undefined,
});
if (!reading.ok) throw new Error(reading.refusals.map(({ message }) => message).join('\n'));
const generous = { ...reading.settings.quotas, queries_per_minute: 1e9, writes_per_minute: 1e9 };
const server = await startServer({
  settings: { ...reading.settings, quotas: generous },
  version: '0.0.0',
  log: pino({ level: 'info' }, { write: () => true }),
});
await server.settled();
serveParent({ port: Number(new URL(server.url).port), token }, () => server.stop());
