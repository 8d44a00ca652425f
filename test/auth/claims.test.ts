import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupsOf, isAdmin } from '../../src/auth/oidc/claims.ts';

const ADMIN = 'escurel:admin';

describe('the admin role', () => {
  test.each([[[ADMIN]], [['a', ADMIN, 3]], [ADMIN]])('[AU18] is held by %j', roles => {
    expect(isAdmin({ roles }, 'roles', ADMIN)).toBe(true);
  });

  test.each([
    undefined,
    null,
    true,
    'escurel:admins',
    `${ADMIN} other`,
    ` ${ADMIN}`,
    ADMIN.toUpperCase(),
    [],
    [[ADMIN]],
    [`${ADMIN} other`],
    { [ADMIN]: true },
    { 0: ADMIN, length: 1 },
  ])('[AU18] is not held by %j', roles => {
    expect(isAdmin({ roles }, 'roles', ADMIN)).toBe(false);
  });
});

describe('groups', () => {
  test.each([
    [
      ['a', 'b c', 'a'],
      ['a', 'b c'],
    ],
    [['a', 1, null, ['b'], { c: 1 }, ''], ['a']],
    ['a b\tc\r\nd,e', ['a', 'b', 'c', 'd', 'e']],
    [' ,a,, b , ', ['a', 'b']],
    ['a\u00a0b', ['a\u00a0b']],
    ['', []],
    [' , ', []],
    [undefined, []],
    [null, []],
    [7, []],
    [{ a: 'b' }, []],
  ])('[AU19] %j makes %j', (roles, groups) => {
    expect(groupsOf({ roles }, 'roles', ADMIN)).toEqual(groups);
  });

  test('[AU20] the admin role and reserved names are dropped, names that only look alike stay', () => {
    const alike = ['escurel:admins', 'Admin', 'publics', 'owner ', 'PUBLIC'];
    expect(groupsOf({ roles: [ADMIN, 'public', 'owner', 'admin', ...alike] }, 'roles', ADMIN)).toEqual(alike);
    expect(groupsOf({ roles: `${ADMIN},public owner\nadmin team` }, 'roles', ADMIN)).toEqual(['team']);
    expect(groupsOf({ roles: ['root', ADMIN] }, 'roles', 'root')).toEqual([ADMIN]);
  });

  test('[AU19, AU20] whatever a claim holds, groups are distinct texts that are not reserved', () => {
    const held = fc.oneof(fc.jsonValue(), fc.array(fc.constantFrom('a', 'public', 'owner', 'admin', ADMIN, '', ' ')));
    fc.assert(
      fc.property(held, roles => {
        const groups = groupsOf({ roles }, 'roles', ADMIN);
        expect(new Set(groups).size).toBe(groups.length);
        for (const group of groups) {
          expect(typeof group).toBe('string');
          expect(['', 'public', 'owner', 'admin', ADMIN]).not.toContain(group);
        }
      }),
    );
  });
});
