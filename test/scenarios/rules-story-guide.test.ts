import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from '../../src/kernel/settings/index.ts';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'docs/guide/rules.md'), 'utf8');

test('the configuration in the guide starts a server with rules, given what the text asks for', () => {
  const [, json] = /```json\n([\s\S]*?)```/.exec(guide)!;
  const asked = ['CAIRN_SESSION_SECRET', 'CAIRN_OPS_TOKEN', 'CAIRN_AUTH_APPROVAL_CLIENT_ID'];
  expect(asked.filter(name => !guide.includes(name))).toEqual([]);
  const reading = readSettings({
    env: {
      CAIRN_AUTH_MODE: 'oidc',
      CAIRN_AUTH_OIDC_ISSUER: 'https://login.example.org',
      ...Object.fromEntries(asked.map(name => [name, `${name}-of-at-least-32-characters`])),
    },
    cwd: ROOT,
    readFile: path => (path.endsWith('cairn.json') ? json : undefined),
  });
  expect(reading).toMatchObject({ ok: true, settings: { rules: { scopes: ['technik', 'vertrieb'] } } });
  expect(reading.warnings.filter(({ message }) => !message.startsWith('backup '))).toEqual([]);
});

test('the file that the guide sends is there', () => {
  const [, sent] = /--data @(\S+)/.exec(guide)!;
  expect(existsSync(join(ROOT, sent!))).toBe(true);
});
