import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { world, type World } from '../v1/world.ts';

let w: World;
let anna: string;
beforeAll(async () => {
  w = await world();
  anna = await w.tokenOf('anna');
  await w.tool(anna, 'list_rules', { scope: 'legal' });
  const db = new Database(join(w.dataDir, 'scopes/legal.sqlite'));
  db.exec('ALTER TABLE search_log RENAME TO secret_hunter2');
  db.close();
});
afterAll(() => w.end());

test('[MR5] a fault of ours says its request id and nothing more, as a tool', async () => {
  const { status, headers, json } = await w.tool(anna, 'list_rules', { scope: 'legal' });
  const body = { error: 'internal', request_id: headers.get('x-request-id') };
  expect([status, json.result.isError, json.result.structuredContent]).toEqual([200, true, body]);
  expect(JSON.parse(json.result.content[0].text)).toEqual(body);
});

test('[VR4] and below /v1', async () => {
  const { status, headers, json } = await w.ask('GET', '/v1/rules?scope=legal', { token: anna });
  expect([status, json]).toEqual([500, { error: 'internal', request_id: headers.get('x-request-id') }]);
});

test('[MR11] the log says where it was thrown, and no word of it', () => {
  const faults = w.logged.filter(line => line['code'] === 'internal');
  expect(faults.map(line => [line['msg'], line['status'], line['level'], line['error']])).toEqual([
    ['tool.completed', 'error', 50, 'SqliteError'],
    ['tool.completed', 'error', 50, 'SqliteError'],
  ]);
  expect(JSON.stringify(w.logged)).not.toContain('hunter2');
});
