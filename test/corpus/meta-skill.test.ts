import { expect, test } from 'vitest';
import { META_SKILL_ID, metaSkillText, parsePage, project } from '../../src/pages/index.ts';

const text = metaSkillText();
const { facts } = project(META_SKILL_ID, text);

test('the shipped meta-skill is a readable skill page with nine sections', () => {
  expect(META_SKILL_ID).toBe('markdown/skills/escurel.md');
  expect(facts).toMatchObject({ pageType: 'skill', slug: 'escurel', unreadable: false, scenario: null, acl: null });
  expect(facts.description).not.toBe('');
  expect(text.split('\n').filter(line => line.startsWith('## '))).toEqual([
    '## Discovery',
    '## Navigation',
    '## Time axis',
    '## Origin axis',
    '## Writing',
    '## Tool summary',
    '## Searching',
    '## Anti-patterns',
    '## Layers and packs',
  ]);
});

test('it ends with a line feed, has no other line end, and its samples are no links', () => {
  expect(text.endsWith('\n')).toBe(true);
  expect(text).not.toMatch(/\r/);
  expect(parsePage(text).links).toEqual([]);
});

test('it names the tools that there are, and no other', () => {
  const tools = [
    'list_skills',
    'list_instances',
    'resolve',
    'expand',
    'neighbours',
    'list_snapshots',
    'diff_page',
    'search',
    'validate',
    'update_page',
    'patch_page',
    'delete_page',
    'move_page',
    'restore_page',
  ];
  const table = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(table).toEqual(tools);
  const planned = ['fetch_blob', 'query_instance', 'capture_event', 'open_session', 'provenance_report'];
  expect(planned.filter(name => text.includes(name))).toEqual([]);
});
