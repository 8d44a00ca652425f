import { z } from 'zod';
import { Failure, type FailureCode } from '../../src/kernel/failure.ts';
import { defineOp, withDeps, type BoundOp } from '../../src/kernel/op.ts';

const shared = {
  surface: 'pages',
  effect: 'read',
  execution: 'deterministic',
  scope: 'agent',
  quota: 'queries',
  publishesOutput: false,
} as const;

/** What the ops of a test did, for looking at afterwards. */
export interface Seen {
  readonly inputs: Record<string, unknown>[];
  aborted: number;
  /** Resolved by `release`, awaited by `wait`. */
  readonly gate: Promise<void>;
}

/** Answers its input; takes one argument of every kind. */
const echo = defineOp({
  ...shared,
  name: 'echo',
  summary: 'Answers what it was given.',
  input: z.object({
    text: z.string().describe('Any text.'),
    count: z.number().int().min(0).max(1000).optional(),
    ratio: z.number().optional(),
    flag: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    filter: z.record(z.string(), z.unknown()).optional(),
    nested: z.object({ depth: z.number(), name: z.string() }).optional(),
    maybe: z.string().nullable().optional(),
    either: z.union([z.string(), z.number()]).optional(),
    mixed: z.union([z.string(), z.array(z.number())]).optional(),
    any: z.unknown().optional(),
  }),
  argumentAliases: { words: 'text' },
  output: z.object({ given: z.record(z.string(), z.unknown()) }),
  publishesOutput: true,
  async run(seen: Seen, _ctx, input) {
    seen.inputs.push(input);
    return { given: input };
  },
});

const write = defineOp({
  ...shared,
  name: 'write',
  aliases: ['put'],
  surface: 'pages',
  effect: 'write',
  execution: 'orchestration',
  quota: 'writes',
  summary: 'Writes, or says why not.',
  input: z.object({ ok: z.boolean().optional(), dry_run: z.boolean().optional() }),
  output: z.object({ ok: z.boolean(), dry_run: z.boolean().optional(), issues: z.array(z.string()) }),
  publishesOutput: true,
  async run(_seen: Seen, _ctx, { ok = true, dry_run }) {
    return { ok, issues: ok ? [] : ['no'], ...(dry_run ? { dry_run } : {}) };
  },
});

const report = defineOp({
  ...shared,
  name: 'report',
  summary: 'Reports, which is no refusal.',
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
  reportsOnly: true,
  async run() {
    return { ok: false };
  },
});

const fail = defineOp({
  ...shared,
  name: 'fail',
  summary: 'Fails as told.',
  input: z.object({ code: z.string().optional() }),
  output: z.object({}),
  async run(_seen: Seen, _ctx, { code }) {
    if (code) throw new Failure(code as FailureCode, `failed: ${code}`, { place: 'here' });
    throw new TypeError('a secret: hunter2');
  },
});

const noted = defineOp({
  ...shared,
  name: 'noted',
  summary: 'Leaves a remark.',
  input: z.object({}),
  output: z.object({}),
  async run(_seen: Seen, ctx) {
    ctx.note('clamped', { k: 200 });
    return {};
  },
});

const wait = defineOp({
  ...shared,
  name: 'wait',
  summary: 'Answers when the test says so.',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  async run(seen: Seen, ctx) {
    ctx.signal.addEventListener('abort', () => (seen.aborted += 1));
    await seen.gate;
    return { done: true };
  },
});

const secret = defineOp({
  ...shared,
  name: 'secret_admin',
  surface: 'admin',
  scope: 'admin',
  quota: 'none',
  summary: 'For admins.',
  input: z.object({ tenant_id: z.string().optional() }),
  output: z.object({ ok: z.boolean() }),
  async run() {
    return { ok: true };
  },
});

const rule = defineOp({
  ...shared,
  name: 'get_rule',
  surface: 'rules',
  summary: 'An op of another surface.',
  input: z.object({}),
  output: z.object({ rule: z.string() }),
  async run() {
    return { rule: 'r' };
  },
});

const operator = defineOp({
  ...shared,
  name: 'operator_only',
  surface: 'operator',
  summary: 'Never over MCP.',
  input: z.object({}),
  output: z.object({}),
  async run() {
    return {};
  },
});

export const testOps = (seen: Seen): BoundOp[] => [
  withDeps(echo, seen),
  withDeps(write, seen),
  withDeps(report, seen),
  withDeps(fail, seen),
  withDeps(noted, seen),
  withDeps(wait, seen),
  withDeps(secret, seen),
  withDeps(rule, seen),
  withDeps(operator, seen),
];
