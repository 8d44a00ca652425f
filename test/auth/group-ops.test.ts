import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addGroupMember } from '../../src/auth/add-group-member.op.ts';
import { listGroupMembers } from '../../src/auth/list-group-members.op.ts';
import { removeGroupMember } from '../../src/auth/remove-group-member.op.ts';
import { openAuthStores, type AuthStores } from '../support/auth-stores.ts';
import { refusal } from '../support/refusal.ts';
import { ROOT, runOp } from '../support/run-op.ts';

let stores: AuthStores;
beforeEach(async () => {
  stores = await openAuthStores();
});
afterEach(() => stores.close());

const ann = { group_id: 'engineers', subject: 'ann' };

test('[AU65] a row bears the moment and the admin, in the form of the wire', async () => {
  expect(await runOp(addGroupMember, stores, ann)).toEqual({ ok: true });
  const row = { ...ann, added_at: '2026-03-01 12:00:00.007000', added_by: 'root' };
  expect(await runOp(listGroupMembers, stores, { group_id: 'engineers' })).toEqual({ members: [row] });
  expect(await stores.members.list('engineers')).toEqual([{ ...row, added_at: '2026-03-01T12:00:00.007Z' }]);
});

test('[AU60, AU65] adding again keeps the moment and takes the new admin', async () => {
  await runOp(addGroupMember, stores, ann);
  const later = { now: () => new Date(Date.UTC(2027, 0, 1)), principal: { ...ROOT, subject: 'second' } };
  expect(await runOp(addGroupMember, stores, ann, later)).toEqual({ ok: true });
  const { members } = await runOp(listGroupMembers, stores, { group_id: 'engineers' });
  expect(members).toEqual([{ ...ann, added_at: '2026-03-01 12:00:00.007000', added_by: 'second' }]);
});

test('[AU61] removing says ok, the second time too', async () => {
  await runOp(addGroupMember, stores, ann);
  expect(await runOp(removeGroupMember, stores, ann)).toEqual({ ok: true });
  expect(await runOp(removeGroupMember, stores, ann)).toEqual({ ok: true });
  expect(await runOp(listGroupMembers, stores, { group_id: 'engineers' })).toEqual({ members: [] });
});

describe('what is refused', () => {
  test.each(['public', 'owner', 'admin'])('[AU66] nobody is added to %s', async group_id => {
    const failure = await refusal(runOp(addGroupMember, stores, { group_id, subject: 'ann' }));
    expect(failure).toMatchObject({ code: 'invalid_params', data: { argument: 'group_id' } });
    expect(await stores.members.groupsOf('ann')).toEqual([]);
    expect(await runOp(listGroupMembers, stores, { group_id })).toEqual({ members: [] });
    expect(await runOp(removeGroupMember, stores, { group_id, subject: 'ann' })).toEqual({ ok: true });
  });

  test.each([
    { group_id: '' },
    { group_id: ' \n' },
    { subject: '' },
    { subject: '\t' },
    { subject: 7 },
    { subject: null },
  ])('[AU66] %j is no argument', changed => {
    expect(addGroupMember.input.safeParse({ ...ann, ...changed }).success).toBe(false);
    expect(removeGroupMember.input.safeParse({ ...ann, ...changed }).success).toBe(false);
  });

  test('[AU66] both names are needed', () => {
    for (const op of [addGroupMember, removeGroupMember]) {
      expect(op.input.safeParse({ group_id: 'a' }).success).toBe(false);
      expect(op.input.safeParse({ subject: 'a' }).success).toBe(false);
    }
    expect(listGroupMembers.input.safeParse({}).success).toBe(false);
    expect(listGroupMembers.input.safeParse({ group_id: ' ' }).success).toBe(false);
  });
});

test('[AU67] the three tools as they are published', () => {
  const labels = [addGroupMember, removeGroupMember, listGroupMembers].map(op => [
    op.name,
    op.effect,
    op.execution,
    op.scope,
    op.quota,
  ]);
  expect(labels).toEqual([
    ['add_group_member', 'write', 'orchestration', 'admin', 'none'],
    ['remove_group_member', 'write', 'orchestration', 'admin', 'none'],
    ['list_group_members', 'read', 'deterministic', 'admin', 'none'],
  ]);
});
