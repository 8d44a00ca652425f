import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceKey, ownerKey, subjectKey } from '../../src/auth/index.ts';

const erika = instanceKey('person', 'erika');

test.each(['auth0|12', 'ann@example.org', 'Müller', ' ann ', '0', 'person::erika', '[person::erika]', '[[', ']][['])(
  '[AU40] the text %j names itself',
  value => {
    expect(ownerKey(value)).toBe(subjectKey(value));
  },
);

test.each([
  '[[person::erika]]',
  '[[person::erika|Erika (on-call)]]',
  '[[person::erika#desk]]',
  '[[person::erika@v3]]',
  '[[person::erika#desk@v2|Erika]]',
  '[[person::erika@v2#desk|Erika]]',
  '[[ person :: erika ]]',
  '[[person::erika |Erika]]',
  '[[person::erika|]]',
  '[[person::erika#]]',
  ' [[person::erika]]',
  'Owner: [[person::erika]] (lead)',
  '[[erika]] or [[person::erika]] or [[person::bob]]',
  '\\[[person::erika]]',
  '[[[person::erika]]]',
])('[AU40] the link %j names its instance', value => {
  expect(ownerKey(value)).toBe(erika);
});

test('[AU40] the id is everything behind the first ::, up to alias, anchor or version', () => {
  expect(ownerKey('[[a::b::c]]')).toBe(instanceKey('a', 'b::c'));
  expect(ownerKey('[[person::user@host]]')).toBe(instanceKey('person', 'user'));
  expect(ownerKey('[[person::x|y::z]]')).toBe(instanceKey('person', 'x'));
});

test('[AU40] composed and decomposed letters are one id', () => {
  expect(ownerKey('[[Ku\u0308che::Mu\u0308ller]]')).toBe(instanceKey('K\u00fcche', 'M\u00fcller'));
});

test('[AU40] a subject and an instance are never confused', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('person::erika', 's:ann', 'l:person::erika', '[[person::erika]]'));
  fc.assert(
    fc.property(text, text, text, (subject, skill, id) => {
      expect(subjectKey(subject)).not.toBe(instanceKey(skill, id));
    }),
  );
});

test('[AU40, AU42] any text without a typed link names itself, and what is in a typed link is read back', () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9äöü_.-][a-zA-Z0-9äöü _.-]{0,10}[a-zA-Z0-9äöü_.-]$/);
  const wrapping = fc.stringMatching(/^[a-z (),:]{0,8}$/);
  fc.assert(
    fc.property(part, part, wrapping, wrapping, (skill, id, before, after) => {
      expect(ownerKey(`${before}[[${skill}::${id}]]${after}`)).toBe(instanceKey(skill, id));
      expect(ownerKey(`${before}[[${id}]]${after}`)).toBe(subjectKey(`${before}[[${id}]]${after}`));
      expect(ownerKey(`${before}${skill}::${id}${after}`)).toBe(subjectKey(`${before}${skill}::${id}${after}`));
    }),
  );
});

describe('nobody', () => {
  test.each(['', '[[person::]]', '[[person:: ]]', '[[person::|Erika]]', '[[person::#desk]]'])(
    '[AU41] is named by the text %j',
    value => {
      expect(ownerKey(value)).toBeNull();
    },
  );

  test.each([
    undefined,
    null,
    7,
    true,
    {},
    { a: 'ann' },
    [],
    ['ann'],
    [['ann', 'bob']],
    [[7]],
    [['a'], ['b']],
    [[['ann']]],
  ])('[AU41] is named by the value %j', value => {
    expect(ownerKey(value)).toBeNull();
  });
});

test('[AU41] a link that YAML read as a nested list is that link, as a value and as JSON text', () => {
  expect(ownerKey([['person::erika']])).toBe(erika);
  expect(ownerKey([['person::erika|Erika']])).toBe(erika);
  expect(ownerKey(JSON.stringify([['person::erika']]))).toBe(erika);
});

test.each([
  '[[erika]]',
  '[[::erika]]',
  '[[erika|Erika]]',
  '[[ ::x]]',
  '[[]]',
  '[[person::erika]',
  '[[person\n::erika]]',
])('[AU42] %j is no typed link and is compared as text', value => {
  expect(ownerKey(value)).toBe(subjectKey(value));
});

test('[AU40, AU41] any value at all has an answer, the same each time', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()), value => {
      const key = ownerKey(value);
      expect(key === null || /^[ls]:/.test(key)).toBe(true);
      expect(ownerKey(value)).toBe(key);
    }),
  );
});
