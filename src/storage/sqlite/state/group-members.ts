import type { GroupMember, GroupMembers } from '../../../auth/ports.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Subjects whose groups are remembered; every change of a row forgets them all. */
const KEPT_SUBJECTS = 10_000;

/** Membership rows in state.sqlite (E428-E430). Nobody else writes them: one process owns the folder. */
export function groupMembers(db: Db, group: GroupCommit): GroupMembers {
  const add = db.prepare<[GroupMember]>(
    `INSERT INTO group_member (group_id, subject, added_at, added_by) VALUES (:group_id, :subject, :added_at, :added_by)
     ON CONFLICT (group_id, subject) DO UPDATE SET added_by = excluded.added_by`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM group_member WHERE group_id = ? AND subject = ?');
  const list = db.prepare<[string], GroupMember>(
    `SELECT group_id, subject, added_at, added_by FROM group_member WHERE group_id = ? ORDER BY added_at, subject`,
  );
  const groups = db.prepare<[string], { group_id: string }>(
    'SELECT group_id FROM group_member WHERE subject = ? ORDER BY group_id',
  );
  const removeAll = db.prepare('DELETE FROM group_member');
  const known = new Map<string, readonly string[]>();
  const change = (write: () => unknown): Promise<void> =>
    group.run(() => {
      write();
      known.clear();
    });
  return {
    add: member => change(() => add.run(member)),
    remove: (groupId, subject) => change(() => remove.run(groupId, subject)),
    list: async groupId => list.all(groupId),
    async groupsOf(subject) {
      const kept = known.get(subject);
      if (kept) return kept;
      if (known.size === KEPT_SUBJECTS) known.clear();
      const found = groups.all(subject).map(row => row.group_id);
      known.set(subject, found);
      return found;
    },
    clear: () => change(() => removeAll.run()),
  };
}
