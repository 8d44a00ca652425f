import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWikilink } from '../../src/pages/index.ts';
import {
  folderOfSkill,
  lookAlike,
  noteId,
  segmentOf,
  skillOfFolder,
  skillProblem,
} from '../../src/cli/import/names.ts';

/** What a file system allows as a name, odd characters included. */
const name = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...' _-%#@|[]^:.\\`\u00a0\n5Fä'), fc.string({ unit: 'binary', maxLength: 1 })),
    minLength: 1,
  })
  .map(text => text.replace(/[/\0]/gu, '').toWellFormed())
  .filter(text => text !== '' && text !== '.' && text !== '..');

test('[IM4] a folder name comes back from its skill, whatever it holds', () => {
  const there = fc.property(name, folder => {
    expect(folderOfSkill(skillOfFolder(folder))).toBe(folder.normalize('NFC'));
  });
  fc.assert(there, { numRuns: 2000 });
});

test('[IM4] skills of folders, in plain sight', () => {
  const folders = [
    'Projekte',
    'Meeting Notes',
    'meeting_notes',
    'C#',
    'C',
    '100%',
    '50%25',
    'a\\b',
    'skill',
    'escurel',
    'Menü',
  ];
  expect(folders.map(skillOfFolder)).toEqual([
    'Projekte',
    'Meeting_Notes',
    'meeting%5Fnotes',
    'C#',
    'C',
    '100%',
    '50%2525',
    'a%5Cb',
    '%73kill',
    '%65scurel',
    'Menü',
  ]);
  expect(skillOfFolder('Menu\u0308')).toBe('Menü');
});

test('[IM4] a skill named by hand must be one that a link can name', () => {
  expect(['customer', 'Meeting Notes', 'C#'].map(skillProblem)).toEqual([null, null, null]);
  const refused = ['', ' a', 'skill', 'escurel', 'a/b', '..', 'a\nb'];
  expect(refused.filter(skill => skillProblem(skill) === null)).toEqual([]);
});

test('[IM7] the id of a note is its name, and a link can name it', () => {
  expect(noteId('Besprechung 2025-03-06')).toBe('Besprechung 2025-03-06');
  expect(noteId('C# to JSON [v2]')).toBe('C# to JSON [v2]');
  expect(noteId(' outer spaces ')).toBe('outer spaces');
  expect(noteId('U\u0308bersicht')).toBe('Übersicht');
  const plain = name.filter(text => !/[#@|[\]^]|::|%(?:23|25|3A|40|5B|5D|5E|7C)/iu.test(text) && !text.startsWith(':'));
  const found = fc.property(plain, text => {
    expect(parseWikilink(`[[${noteId(text)}]]`)?.id).toBe(noteId(text));
  });
  fc.assert(found);
});

test('[IM9] a segment of a page id never climbs and never splits', () => {
  expect(['..', '.', 'a/b', 'a\\b', 'tab\there'].map(segmentOf)).toEqual([
    '%2E%2E',
    '%2E',
    'a%2Fb',
    'a%5Cb',
    'tab%09here',
  ]);
});

test('[IM8] names that people mix up are alike', () => {
  expect(new Set(['a b', 'a_b', 'A-B', 'a  B'].map(lookAlike)).size).toBe(1);
  expect(lookAlike('ab')).not.toBe(lookAlike('a b'));
});
