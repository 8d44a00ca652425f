import { afterEach, expect, test } from 'vitest';
import { startCairn, type Cairn } from './cairn.ts';
import { client } from './client.ts';
import { instance, skill, skillPath, writeSkill } from './page.ts';

let cairn: Cairn;
afterEach(() => cairn.stop());

const AUTONOMY = skill('odd', 'autonomy: maybe');

test('N016 E368 ESCUREL_AUTONOMY_LINT=enforce stops a write, and E394 an open gateway writes as anonymous', async () => {
  cairn = await startCairn({ ESCUREL_AUTH_MODE: 'open', ESCUREL_AUTONOMY_LINT: 'enforce' });
  const pages = client(cairn.origin);
  expect(await pages.ok('update_page', { page_id: skillPath('odd'), content: AUTONOMY })).toMatchObject({
    ok: false,
    issues: [{ code: 'frontmatter_autonomy_unknown' }],
  });
  await writeSkill(pages, 'note', 'autonomy: review');
  expect((await pages.ok('expand', { page_id: skillPath('note') })).page.last_written_by).toBe('anonymous');
  expect(await pages.ok('validate', { content: instance('note', 'x') })).toEqual({ ok: true, issues: [] });
});

test('N016 E392 GROUNDNOTE_AUTONOMY_LINT=log writes, answers as off does, and warns the operator', async () => {
  cairn = await startCairn({ CAIRN_AUTH_MODE: 'open', GROUNDNOTE_AUTONOMY_LINT: 'log' });
  const pages = client(cairn.origin);
  expect(await pages.ok('update_page', { page_id: skillPath('odd'), content: AUTONOMY })).toEqual({
    ok: true,
    issues: [expect.objectContaining({ code: 'frontmatter_autonomy_unknown', severity: 'error' })],
    new_version: 'v1',
    auto_merged: false,
  });
  const warned = await cairn.logged(
    line => line['level'] === 'warn' && JSON.stringify(line).includes(skillPath('odd')),
  );
  expect(JSON.stringify(warned)).toContain('autonomy');
});
