import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomToken } from '../../src/kernel/ids.ts';
import { readSettings } from '../../src/kernel/settings/index.ts';
import { serveParent } from './child.ts';
import { samplePage, SKILL_PAGE } from './sample-pages.ts';

// What users run: sources under a loader carry its own calls along.
const built = <M>(path: string): Promise<M> =>
  import(new URL(`../../dist/${path}`, import.meta.url).href) as Promise<M>;
const { startServer } = await built<typeof import('../../src/app/server.ts')>('app/server.js');
const { logLines } = await built<typeof import('../../src/app/log-lines.ts')>('app/log-lines.js');
const { createLog } = await built<typeof import('../../src/kernel/log.ts')>('kernel/log.js');

/** Cairn as it is served, with so many pages, tokens checked and quotas debited but never empty. */
const pages = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
const token = randomToken();
const reading = readSettings({
  env: {
    CAIRN_AUTH_MODE: 'dev-token',
    CAIRN_DEV_IDENTITY: 'bench@example.com',
    CAIRN_DEV_MCP_TOKEN: token,
    CAIRN_PORT: '0',
    CAIRN_DATA_DIR: join(folder, 'data'),
  },
  cwd: folder,
  readFile: () => undefined,
});
if (!reading.ok) throw new Error(reading.refusals.map(({ message }) => message).join('\n'));
const generous = { ...reading.settings.quotas, queries_per_minute: 1e9, writes_per_minute: 1e9 };
const server = await startServer({
  settings: { ...reading.settings, quotas: generous },
  version: '0.0.0',
  log: createLog({ level: 'info', env: 'bench', version: '0.0.0' }, logLines(openSync('/dev/null', 'w'))),
});
await put('markdown/skills/note.md', SKILL_PAGE);
for (let n = 0; n < pages; n++) await put(samplePage(n).pageId, samplePage(n).content);
await server.settled();
serveParent({ port: Number(new URL(server.url).port), token }, async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function put(page_id: string, content: string): Promise<void> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'update_page', arguments: { page_id, content } },
    }),
  });
  const { result } = (await answer.json()) as { result?: { structuredContent: { ok: boolean } } };
  if (!result?.structuredContent.ok) throw new Error(`${page_id} was not written`);
}
