import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aclOf, decide, effectiveGroups, SHIPPED_ACL, tenantDefault } from '../../src/auth/index.ts';
import { VERBS, type AclBlock } from '../../src/auth/schema.ts';

const OWNER = { read: ['owner'], create: ['owner'], update: ['owner'], delete: ['owner'] };
const stranger = effectiveGroups(['team-a'], []);

/** How many verbs are open to everyone and to the team, and how many to the owner. */
const openness = (block: AclBlock): number[] =>
  VERBS.map(verb => ['deny', 'owner', 'allow'].indexOf(decide(verb, [block], SHIPPED_ACL, stranger)));

describe('an acl block', () => {
  test('[AU36] is read verb by verb, and keeps the order of its groups', () => {
    const acl = { read: ['b', 'a', 'b'], update: [] };
    expect(aclOf({ acl }).acl).toEqual(acl);
    expect(aclOf({ acl: {} }).acl).toEqual({});
  });

  test('[AU36] a verb without a list is omitted, and what is no text is dropped from a list', () => {
    const acl = {
      read: 'public',
      create: { a: 1 },
      update: ['a', 1, null, ['b'], true, 'c'],
      delete: null,
      other: ['x'],
    };
    expect(aclOf({ acl }).acl).toEqual({ update: ['a', 'c'] });
    expect(aclOf({ acl: { read: [1, {}] } }).acl).toEqual({ read: [] });
  });

  test('[AU37] makes visibility irrelevant', () => {
    expect(aclOf({ acl: { read: ['a'] }, visibility: 'owner' }).acl).toEqual({ read: ['a'] });
    expect(aclOf({ acl: {}, visibility: 'owner' }).acl).toEqual({});
    expect(aclOf({ acl: 'private', visibility: 'public' }).acl).toBe('closed');
  });

  test.each(['private', 'public', '', null, 7, true, [], ['public'], [{ read: ['public'] }]])(
    '[AU38] %j is no mapping and closes the page',
    acl => {
      expect(aclOf({ acl }).acl).toBe('closed');
      expect(openness(aclOf({ acl, visibility: 'public' }).acl)).toEqual([0, 0, 0, 0]);
    },
  );

  test('[AU36, AU38] whatever it is made of, dropping parts never opens it', () => {
    const junk = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.oneof(fc.constantFrom('public', 'owner', 'team-a'), fc.jsonValue())),
    );
    const written = fc.record({ read: junk, create: junk, update: junk, delete: junk }, { requiredKeys: [] });
    fc.assert(
      fc.property(written, fc.jsonValue(), (acl, anything) => {
        const read = aclOf({ acl }).acl;
        for (const verb of VERBS) {
          const entry = acl[verb];
          const granted = Array.isArray(entry) ? entry.filter(group => typeof group === 'string') : undefined;
          expect(read).not.toBe('closed');
          expect((read as Exclude<AclBlock, 'closed' | null>)[verb]).toEqual(granted);
        }
        const isMapping = typeof anything === 'object' && anything !== null && !Array.isArray(anything);
        expect(aclOf({ acl: anything }).acl === 'closed').toBe(!isMapping);
      }),
    );
  });

  test('[AU36] is never found where it was not written', () => {
    expect(aclOf(Object.create({ acl: 'x', visibility: 'owner' })).acl).toBeNull();
    expect(aclOf({ acl: Object.create({ read: ['public'] }) }).acl).toEqual({});
  });
});

describe('visibility', () => {
  test('[AU37] owner gives every verb to the owner', () => {
    expect(aclOf({ visibility: 'owner' })).toEqual({ acl: OWNER, ownerField: null, visibility: 'owner' });
  });

  test.each(['public', 'Owner', 'onwer', 'owner ', '', null, 3, ['owner'], {}])(
    '[AU37] %j lets everyone read and admins write',
    visibility => {
      expect(aclOf({ visibility })).toEqual({ acl: SHIPPED_ACL, ownerField: null, visibility: 'public' });
    },
  );

  test('[AU37] without it the tenant default holds', () => {
    expect(aclOf({})).toEqual({ acl: null, ownerField: null, visibility: 'public' });
  });
});

test.each([
  ['credential', 'credential'],
  ['', null],
  [undefined, null],
  [['credential'], null],
  [7, null],
])('[AU41] the owner field %j is %j', (owner_field, ownerField) => {
  expect(aclOf({ owner_field }).ownerField).toBe(ownerField);
});

describe('the tenant default', () => {
  test('[AU30] that is declared replaces the shipped one whole', () => {
    expect(tenantDefault({ read: ['team-a'] })).toEqual({ read: ['team-a'] });
    expect(decide('read', [], tenantDefault({ read: ['team-a'] }), stranger)).toBe('allow');
    expect(decide('read', [], tenantDefault({ update: ['team-a'] }), stranger)).toBe('deny');
    expect(tenantDefault({})).toEqual({});
  });

  test.each(['public', null, [], ['public'], 3, true, ''])('[AU38] that is %j denies every verb', declared => {
    for (const verb of VERBS) expect(decide(verb, [], tenantDefault(declared), stranger)).toBe('deny');
  });
});
