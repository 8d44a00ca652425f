import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inline, quoted } from '../../src/rules/export/markdown.ts';
import { tarballs } from '../../src/storage/lanes/tarball/index.ts';
import {
  ANNA,
  confirmed,
  decide,
  FEEDER,
  grant,
  mail,
  meeting,
  proposed,
  refusal,
  stocked,
  type World,
} from './world.ts';

let here: World;
beforeEach(async () => (here = await stocked()));
afterEach(() => here.remove());

const exported = async (): Promise<Map<string, string>> => {
  const { files } = await here.do('exportScope', { scope: 'sales' }, ANNA, 'approval');
  return new Map(files.map(({ path, text }: { path: string; text: string }) => [path, text]));
};

async function filled(): Promise<string[]> {
  await here.do('storeSource', meeting(), FEEDER);
  const attachment = {
    filename: 'a|b.pdf',
    media_type: 'text/plain',
    size: 3,
    external: null,
    text: 'x',
    text_origin: 'ocr',
  };
  await here.do(
    'storeSource',
    mail({ id: 'mail:<2@example.com>', title: '# [x](y)' }, { attachments: [attachment] }),
    FEEDER,
  );
  const old = await confirmed(here);
  const next = await confirmed(here, { supersedes: old, valid_from: '2026-05-01' });
  const refused = await proposed(here);
  await decide(here, refused, { decision: 'reject', version: 1, reason: 'nobody | said <b>so</b>' });
  const open = await proposed(here, { source: { kind: 'manual', quote: 'mine\n# not a heading', link: null } });
  return [old, next, refused, open];
}

test('[RU120] holds every rule, rejected ones too, with who decided, and every source', async () => {
  const [old, next, refused, open] = await filled();
  const files = await exported();
  expect([...files.keys()]).toEqual(
    ['README', 'decisions', 'entities', 'index', 'sources', old, next, refused, open].map(name => `sales/${name}.md`),
  );
  expect(files.get('sales/README.md')).toContain('- generated_at: 2026-03-12T10:00:00.000Z');
  expect(files.get('sales/README.md')).toContain('- rejected: 1');
  expect(files.get('sales/index.md')).toContain(`## superseded (1)\n\n- [${old}](${old}.md) Ask the supplier`);
  const text = files.get(`sales/${old}.md`)!;
  for (const part of [
    '- Status: superseded',
    '- Holds until: 2026-05-01',
    `- Replaced by: ${next}`,
    '> please ask for the delivery time before you order black hook rails',
    '- Id: mail:\\<delivery-1@example.com\\>',
    '### Version 2: confirmed',
    '| 2026-03-12T10:00:00.000Z | sales-0001 | confirm | 1 | 2 | person1@example.com | person:1 | grant | manual | – |',
  ]) {
    expect(text).toContain(part);
  }
  expect(files.get(`sales/${refused}.md`)).toContain('nobody \\| said \\<b\\>so\\</b\\>');
  expect(files.get(`sales/${open}.md`)).toContain('> mine\n> \\# not a heading');
  expect(files.get('sales/sources.md')).toContain('- Title: # \\[x\\](y)');
  expect(files.get('sales/sources.md')).toContain('| a\\|b.pdf | text/plain | 3 | – | ocr |');
  expect(files.get('sales/entities.md')).toBe('# Entities\n\nNone.\n');
});

test('[RU121] the same scope gives the same bytes, and the file of a rule changes with that rule alone', async () => {
  const [, next] = await filled();
  const view = { instance: 'demo', zone: 'Europe/Berlin', now: here.clock() };
  const pack = async (): Promise<Buffer> => {
    const files = (await here.exports.files('sales', view)).map(({ path, text }) => ({
      path,
      data: Buffer.from(text),
    }));
    return Buffer.from(await tarballs.pack(files));
  };
  const first = await pack();
  here.pass(1000);
  expect((await pack()).equals(first)).toBe(true);
  const before = await exported();
  await decide(here, next!, { decision: 'review', version: 2 });
  const after = await exported();
  const changed = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  expect(changed).toEqual(['sales/README.md', 'sales/decisions.md', `sales/${next}.md`]);
});

test('[RU122] text of others makes no link, tag, cell, heading, list or fence', () => {
  const text = fc.string({
    unit: fc.constantFrom(
      '#',
      '-',
      '|',
      '[',
      ']',
      '<',
      '`',
      '\\',
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      ' ',
      '1',
      '.',
      '=',
      '~',
      'a',
    ),
    maxLength: 30,
  });
  fc.assert(
    fc.property(text, value => {
      const line = inline(value);
      expect(line).not.toMatch(/[\n\r\u2028\u0085]/);
      expect(line).not.toMatch(/(?<!\\)(\\\\)*[|[\]<>`]/);
      for (const one of quoted(value).split('\n')) {
        expect(one).toMatch(/^>/);
        expect(one).not.toMatch(/^> \s*([#+*=~-]|\d+[.)])/);
        expect(one).not.toMatch(/[\r\u2028\u0085]/);
      }
    }),
  );
});

test('[RU123] is for those who may decide in the scope, and leaves a row in its log', async () => {
  const code = async (caller = ANNA, channel: 'api' | 'mcp' | 'approval' = 'approval', scope = 'sales') =>
    (await refusal(here.do('exportScope', { scope }, caller, channel)))['code'];
  expect(await code(ANNA, 'api')).toBe('channel-not-allowed');
  expect(await code(ANNA, 'mcp')).toBe('channel-not-allowed');
  expect(await code(FEEDER)).toBe('channel-not-allowed');
  expect(await code(grant('person:7', ['read', 'propose']))).toBe('channel-not-allowed');
  expect(await code(ANNA, 'approval', 'other')).toBe('scope-not-allowed');
  expect(await code()).toBe('none');
  expect(here.rows('sales', `SELECT channel, outcome FROM search_log WHERE operation = 'export'`)).toEqual([
    { channel: 'approval', outcome: 200 },
  ]);
});
