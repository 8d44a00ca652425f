import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineOp, withDeps, type BoundOp } from '../../src/kernel/op.ts';
import { registry } from '../../src/kernel/registry.ts';

const greet = defineOp({
  name: 'greet',
  aliases: ['hello'],
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  summary: 'Greets.',
  input: z.object({ name: z.string() }),
  output: z.object({ text: z.string() }),
  publishesOutput: false,
  run: async ({ word }: { word: string }, _ctx, { name }) => ({ text: `${word} ${name}` }),
});
const bound = withDeps(greet, { word: 'Hi' });
const like = (changes: Partial<BoundOp>): BoundOp => ({ ...bound, ...changes });

describe('the registry of ops', () => {
  test('[KE9] finds an op by name and by alias, with its dependencies given', async () => {
    const ops = registry([bound]);
    expect(ops.find('hello')).toBe(ops.find('greet'));
    expect(ops.find('nothing')).toBeUndefined();
    expect(await ops.find('greet')!.run(undefined as never, { name: 'Ann' })).toEqual({ text: 'Hi Ann' });
  });

  test.each([
    [like({ aliases: [] }), 'two ops are called greet'],
    [like({ name: 'other' }), 'two ops are called hello'],
    [like({ name: 'Greet', aliases: [] }), 'op name Greet is not a wire name'],
    [like({ name: 'a'.repeat(49), aliases: [] }), `op name ${'a'.repeat(49)} is not a wire name`],
    [like({ name: 'admin_greet', aliases: [], scope: 'admin' }), 'admin op admin_greet must not debit a quota'],
  ])('[KE9] refuses the second op %#', (second, message) => {
    expect(() => registry([bound, second])).toThrow(message);
  });
});
