import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GroupMember, GroupMembers } from '../../src/auth/ports.ts';

/** One adapter on storage of its own. `reopen` comes back as after a restart of the process; the old one is not used again. */
export interface OpenGroupMembers {
  readonly members: GroupMembers;
  reopen(): Promise<GroupMembers>;
  close(): Promise<void>;
}

/** What every GroupMembers adapter must do. `open` starts without any row. */
export function groupMembersContract(adapter: string, open: () => Promise<OpenGroupMembers>): void {
  describe(`group members on ${adapter}`, () => {
    let opened: OpenGroupMembers;
    let members: GroupMembers;
    beforeEach(async () => {
      opened = await open();
      members = opened.members;
    });
    afterEach(() => opened.close());

    test('[AU60] a row is listed as it was added', async () => {
      const ann = row('engineers', 'ann', 1);
      await members.add(ann);
      expect(await members.list('engineers')).toEqual([ann]);
      expect(await members.list('sales')).toEqual([]);
    });

    test('[AU60] adding a row again keeps added_at and takes the new added_by', async () => {
      await members.add(row('engineers', 'ann', 1, 'root'));
      await members.add(row('engineers', 'ann', 2, 'second admin'));
      expect(await members.list('engineers')).toEqual([row('engineers', 'ann', 1, 'second admin')]);
    });

    test('[AU61] removing takes exactly one row, and an absent row is no error', async () => {
      await members.add(row('engineers', 'ann', 1));
      await members.add(row('engineers', 'bob', 2));
      await members.add(row('sales', 'ann', 3));
      await members.remove('engineers', 'ann');
      await members.remove('engineers', 'ann');
      await members.remove('nobody', 'ann');
      expect(await members.list('engineers')).toEqual([row('engineers', 'bob', 2)]);
      expect(await members.list('sales')).toEqual([row('sales', 'ann', 3)]);
    });

    test('[AU61] a row added after its removal is a new one', async () => {
      await members.add(row('engineers', 'ann', 1, 'root'));
      await members.remove('engineers', 'ann');
      await members.add(row('engineers', 'ann', 5, 'boss'));
      expect(await members.list('engineers')).toEqual([row('engineers', 'ann', 5, 'boss')]);
    });

    test('[AU62] the list goes by added_at, then subject', async () => {
      const rows = [row('g', 'carl', 1), row('g', 'ann', 2), row('g', 'bob', 2), row('g', 'adam', 3)];
      for (const at of [3, 1, 0, 2]) await members.add(rows[at]!);
      expect(await members.list('g')).toEqual(rows);
    });

    test('[AU63] the groups of a subject are those of this moment', async () => {
      await members.add(row('engineers', 'ann', 1));
      await members.add(row('sales', 'ann', 2));
      await members.add(row('sales', 'bob', 3));
      expect([...(await members.groupsOf('ann'))].sort()).toEqual(['engineers', 'sales']);
      expect(await members.groupsOf('bob')).toEqual(['sales']);
      expect(await members.groupsOf('carl')).toEqual([]);
      await members.remove('sales', 'ann');
      expect(await members.groupsOf('ann')).toEqual(['engineers']);
      await members.add(row('board', 'ann', 4));
      expect([...(await members.groupsOf('ann'))].sort()).toEqual(['board', 'engineers']);
    });

    test('[AU63] names are compared letter by letter', async () => {
      const subjects = ['ann', 'Ann', 'ann ', 'änn', 'a\u0308nn', "a'nn", 'a%nn', 'a_nn', '😀', 'x'.repeat(2000)];
      for (const [at, subject] of subjects.entries()) await members.add(row(`group of ${subject}`, subject, at));
      for (const subject of subjects) expect(await members.groupsOf(subject)).toEqual([`group of ${subject}`]);
      for (const subject of subjects) expect(await members.list(`group of ${subject}`)).toHaveLength(1);
    });

    test('[AU64] an acknowledged change is there after a restart', async () => {
      await members.add(row('engineers', 'ann', 1));
      await members.add(row('engineers', 'bob', 2));
      await members.remove('engineers', 'ann');
      const again = await opened.reopen();
      expect(await again.list('engineers')).toEqual([row('engineers', 'bob', 2)]);
      expect(await again.groupsOf('bob')).toEqual(['engineers']);
      expect(await again.groupsOf('ann')).toEqual([]);
    });

    test('[AU64] all rows go at once, for good', async () => {
      await members.add(row('engineers', 'ann', 1));
      expect(await members.groupsOf('ann')).toEqual(['engineers']);
      await members.clear();
      expect(await members.groupsOf('ann')).toEqual([]);
      expect(await (await opened.reopen()).list('engineers')).toEqual([]);
    });

    test('[AU64] changes made at the same time all stay', async () => {
      const rows = Array.from({ length: 40 }, (_, at) => row('crowd', `subject ${String(at).padStart(2, '0')}`, at));
      await Promise.all(rows.map(each => members.add(each)));
      expect(await members.list('crowd')).toEqual(rows);
      await Promise.all(rows.slice(20).map(each => members.remove(each.group_id, each.subject)));
      expect(await members.list('crowd')).toEqual(rows.slice(0, 20));
    });
  });
}

/** Added `second` seconds after a fixed moment. */
function row(group_id: string, subject: string, second: number, added_by = 'root'): GroupMember {
  const added_at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678) + second * 1000).toISOString();
  return { group_id, subject, added_at, added_by };
}
