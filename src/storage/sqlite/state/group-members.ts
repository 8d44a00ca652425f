import type { GroupMember, GroupMembers } from '../../../auth/ports.ts';
import type { Db } from '../database.ts';
import type { GroupCommit } from './group-commit.ts';

/** Membership rows in state.sqlite (E428-E430). */
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
  return {
    add: member => group.run(() => void add.run(member)),
    remove: (groupId, subject) => group.run(() => void remove.run(groupId, subject)),
    list: async groupId => list.all(groupId),
    groupsOf: async subject => groups.all(subject).map(row => row.group_id),
  };
}
