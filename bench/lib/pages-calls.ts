import { systemClock } from '../../src/kernel/clock.ts';
import type { Ctx } from '../../src/kernel/op.ts';
import { expand } from '../../src/pages/expand.op.ts';
import type { PagesDeps } from '../../src/pages/index.ts';
import { listInstances } from '../../src/pages/list-instances.op.ts';
import { listSkills } from '../../src/pages/list-skills.op.ts';
import { neighbours } from '../../src/pages/neighbours.op.ts';
import { resolve } from '../../src/pages/resolve.op.ts';
import { CALLER, corpusPage, HUB, LOT, readable } from './pages-corpus.ts';

/** One call of the bench: the tool, its arguments for the n-th time, and what its answer must hold. */
export interface Call {
  readonly name: string;
  readonly tool: string;
  readonly args: (n: number) => Record<string, unknown>;
  /** Rows or edges of the answer; 1 for a page that is there. */
  readonly atLeast: number;
}

export function callsFor(count: number): Call[] {
  const page = (n: number) => corpusPage(readable(n, count));
  const id = (n: number): string => /\nid: (\S+)/.exec(page(n).content)![1]!;
  const list = (name: string, atLeast: number, args: (n: number) => Record<string, unknown>): Call => ({
    name: `list_instances, ${name}`,
    tool: 'list_instances',
    args,
    atLeast,
  });
  return [
    { name: 'expand', tool: 'expand', args: n => ({ page_id: page(n).pageId }), atLeast: 1 },
    { name: 'resolve', tool: 'resolve', args: n => ({ wikilink: `[[note::${id(n)}]]` }), atLeast: 1 },
    { name: 'neighbours, 100 edges', tool: 'neighbours', args: () => ({ page_id: HUB }), atLeast: 75 },
    {
      name: 'neighbours, as of the start',
      tool: 'neighbours',
      args: () => ({ page_id: HUB, as_of: '2026-01-01T00:00:00Z' }),
      atLeast: 1,
    },
    list('date filter, limit 50', 50, n => ({
      skill_id: 'note',
      limit: 50,
      as_of: `2026-0${(n % 6) + 3}-01T00:00:00Z`,
      order_by: 'at desc',
    })),
    list('header equality', 20, n => ({
      skill_id: 'note',
      filter: { lot: `lot-${(n * 31) % Math.floor(count / LOT)}` },
      limit: 50,
    })),
    list('frequent value, by time', 50, n => ({
      skill_id: 'note',
      frontmatter_key: 'status',
      frontmatter_value: n % 2 === 0 ? 'open' : 'closed',
      order_by: 'at asc',
      limit: 50,
    })),
    list('frequent value, newest first', 50, n => ({
      skill_id: 'note',
      filter: { status: n % 2 === 0 ? 'open' : 'closed' },
      order_by: 'at desc',
      limit: 50,
    })),
    list('own pages among all', 1, () => ({ skill_id: 'mine', limit: 50 })),
    { name: 'list_skills', tool: 'list_skills', args: () => ({}), atLeast: 3 },
  ];
}

const OPS = { expand, resolve, neighbours, list_instances: listInstances, list_skills: listSkills } as const;

/** Calls an op as one who is no admin, so that every read is filtered. */
export function inProcess(deps: PagesDeps) {
  const ctx: Ctx = {
    principal: { tenant: 'default', subject: CALLER, groups: [], admin: false, metered: true },
    requestId: 'bench',
    transport: 'cli',
    now: systemClock,
    signal: new AbortController().signal,
    note: () => {},
  };
  return async ({ tool, args }: Call, n: number): Promise<unknown> => {
    const op = OPS[tool as keyof typeof OPS];
    return op.run(deps, ctx, op.input.parse(args(n)) as never);
  };
}

/** How much an answer holds. */
export function sizeOf(answer: unknown): number {
  const { page, edges, instances, skills } = answer as Record<string, unknown>;
  const rows = edges ?? instances ?? skills;
  return Array.isArray(rows) ? rows.length : Number(Boolean(page));
}
