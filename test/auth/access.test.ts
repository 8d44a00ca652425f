import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allows, decide, effectiveGroups, SHIPPED_ACL } from '../../src/auth/index.ts';
import { VERBS, type Acl, type AclBlock, type Verb } from '../../src/auth/schema.ts';

const NAMES = ['public', 'owner', 'admin', 'team-a', 'team-b', 'team-c'];
const name = fc.constantFrom(...NAMES);
const acl: fc.Arbitrary<Acl> = fc.record(
  { read: fc.array(name), create: fc.array(name), update: fc.array(name), delete: fc.array(name) },
  { requiredKeys: [] },
);
const block: fc.Arbitrary<AclBlock> = fc.oneof(acl, fc.constant(null), fc.constant('closed' as const));
const blocks = fc.array(block, { maxLength: 3 });
const verb = fc.constantFrom(...VERBS);
const groups = fc.array(name).map(own => effectiveGroups(own, []));
const ORDER = { deny: 0, owner: 1, allow: 2 };

const only = (...own: string[]) => effectiveGroups(own, []);

describe('the first block that names the verb decides alone', () => {
  const team: Acl = { read: ['team-a'] };
  const open: Acl = { read: ['public'] };

  test.each<[string, AclBlock[], Acl, string]>([
    ['the instance before the skill', [team, open], open, 'deny'],
    ['the skill when the instance has no block', [null, team], open, 'deny'],
    ['the skill when the instance does not name the verb', [{ update: ['public'] }, team], open, 'deny'],
    ['the default when nobody names it', [null, {}], open, 'allow'],
    ['the default without any block', [], { read: ['team-b'] }, 'deny'],
    ['nobody, and it is denied', [], {}, 'deny'],
    ['the instance, wider than the skill', [open, team], team, 'allow'],
  ])('[AU30] %s', (_what, given, tenantDefault, expected) => {
    expect(decide('read', given, tenantDefault, only())).toBe(expected);
  });

  test('[AU30] the shipped default lets everyone read and admins write', () => {
    expect(VERBS.map(each => decide(each, [], SHIPPED_ACL, only('team-a')))).toEqual(['allow', 'deny', 'deny', 'deny']);
  });

  test('[AU30] blocks behind the deciding one, and the default, never matter', () => {
    fc.assert(
      fc.property(verb, acl, blocks, acl, blocks, acl, groups, (asked, decider, ...rest) => {
        const [behind, first, otherBehind, second, own] = rest;
        const names = asked === 'delete' ? 'update' : asked;
        const deciding = { [names]: ['team-a'], ...decider };
        const answer = decide(asked, [null, deciding, ...behind], first, own);
        expect(decide(asked, [null, deciding, ...otherBehind], second, own)).toBe(answer);
      }),
    );
  });

  test('[AU31] an empty list denies whatever stands behind it', () => {
    fc.assert(
      fc.property(blocks, acl, groups, (behind, tenantDefault, own) => {
        expect(decide('read', [{ read: [] }, ...behind], tenantDefault, own)).toBe('deny');
      }),
    );
  });
});

describe('groups', () => {
  test('[AU32] are public, the credential’s and the rows’, without reserved names', () => {
    expect([...effectiveGroups(['a', 'owner', 'b'], ['b', 'c', 'admin', 'public'])].sort()).toEqual([
      'a',
      'b',
      'c',
      'public',
    ]);
    expect([...effectiveGroups([], [])]).toEqual(['public']);
  });

  test('[AU32] count from either source alike', () => {
    const given: AclBlock[] = [{ read: ['team-a'] }];
    expect(decide('read', given, {}, effectiveGroups(['team-a'], []))).toBe('allow');
    expect(decide('read', given, {}, effectiveGroups([], ['team-a']))).toBe('allow');
    expect(decide('read', given, {}, effectiveGroups(['team-b'], ['team-c']))).toBe('deny');
  });

  test.each(['owner', 'admin'])('[AU32, AU33] nobody becomes %s by a group of that name', reserved => {
    const pretended = effectiveGroups([reserved], [reserved]);
    expect(decide('read', [{ read: [reserved] }], {}, pretended)).not.toBe('allow');
    expect(decide('read', [{ read: [reserved] }], {}, new Set([reserved, 'public']))).not.toBe('allow');
  });

  test('[AU33] a listed admin lets nobody in who is not an admin', () => {
    expect(decide('read', [{ read: ['admin'] }], SHIPPED_ACL, only('team-a'))).toBe('deny');
    expect(decide('read', [{ read: ['admin', 'team-a'] }], {}, only('team-a'))).toBe('allow');
  });

  test('[AU33] an admin passes whatever the blocks say', () => {
    fc.assert(
      fc.property(verb, blocks, acl, groups, (asked, given, tenantDefault, own) => {
        const ruling = decide(asked, given, tenantDefault, own);
        expect(allows(true, ruling, () => false)).toBe(true);
        expect(allows(false, ruling, () => true)).toBe(ruling !== 'deny');
        expect(allows(false, ruling, () => false)).toBe(ruling === 'allow');
      }),
    );
  });

  test('[AU34] the owner is asked for only when no group passes', () => {
    const given: AclBlock[] = [{ update: ['owner', 'team-a'] }];
    expect(decide('update', given, {}, only())).toBe('owner');
    expect(decide('update', given, {}, only('team-a'))).toBe('allow');
    expect(decide('update', [{ update: ['owner', 'public'] }], {}, only())).toBe('allow');
  });

  test('[AU35] delete is decided by the update list, its own is never looked at', () => {
    const given: AclBlock[] = [{ delete: ['public'], update: ['team-a'] }];
    expect(decide('delete', given, {}, only())).toBe('deny');
    expect(decide('delete', given, {}, only('team-a'))).toBe('allow');
    expect(decide('delete', [{ delete: ['public'] }], { delete: ['public'] }, only())).toBe('deny');
    fc.assert(
      fc.property(blocks, acl, groups, (some, tenantDefault, own) => {
        expect(decide('delete', some, tenantDefault, own)).toBe(decide('update', some, tenantDefault, own));
      }),
    );
  });
});

/** The contract's rule once more, written as the sets it speaks of. */
function model(asked: Verb, given: readonly AclBlock[], tenantDefault: Acl, own: ReadonlySet<string>) {
  const key = asked === 'delete' ? 'update' : asked;
  const deciding = [...given, tenantDefault].find(each => each === 'closed' || (each !== null && key in each));
  const named = new Set(deciding === undefined || deciding === null || deciding === 'closed' ? [] : deciding[key]);
  const satisfied = [...own].filter(group => group !== 'owner' && group !== 'admin' && named.has(group));
  if (satisfied.length > 0) return 'allow';
  return named.has('owner') ? 'owner' : 'deny';
}

describe('for any blocks', () => {
  test('[AU30, AU31, AU34] the decision is that of the rule', () => {
    fc.assert(
      fc.property(verb, blocks, acl, groups, (asked, given, tenantDefault, own) => {
        expect(decide(asked, given, tenantDefault, own)).toBe(model(asked, given, tenantDefault, own));
      }),
      { numRuns: 2000 },
    );
  });

  test('[AU39] a group more never takes access away', () => {
    fc.assert(
      fc.property(verb, blocks, acl, fc.array(name), name, (asked, given, tenantDefault, own, more) => {
        const before = decide(asked, given, tenantDefault, effectiveGroups(own, []));
        const after = decide(asked, given, tenantDefault, effectiveGroups(own, [more]));
        expect(ORDER[after]).toBeGreaterThanOrEqual(ORDER[before]);
      }),
    );
  });

  test('[AU38, AU39] closing a block never opens anything', () => {
    fc.assert(
      fc.property(verb, blocks, fc.nat(3), acl, groups, (asked, given, at, tenantDefault, own) => {
        const closed = given.toSpliced(at, 1, 'closed');
        const silent = given.toSpliced(at, 1, { read: [], create: [], update: [], delete: [] });
        expect(decide(asked, closed, tenantDefault, own)).toBe(decide(asked, silent, tenantDefault, own));
        expect(decide(asked, ['closed', ...given], tenantDefault, own)).toBe('deny');
      }),
    );
  });
});
