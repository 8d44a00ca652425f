import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmed, type World as RulesWorld } from '../rules/world.ts';
import { world, type World } from '../v1/world.ts';

const LIMIT = 30_000;
const RULES = 50;

let w: World;
let anna: string;
beforeAll(async () => {
  w = await world({
    async fill(rules: RulesWorld) {
      for (let number = 1; number <= RULES; number++) {
        const words = `Hook rail number ${number}: ask first. `;
        await confirmed(rules, {
          statement: `Ask before ordering hook rail number ${number}`,
          source: { kind: 'manual', quote: words.repeat(50).slice(0, number === 1 ? 2000 : 300), link: null },
        });
      }
    },
  });
  anna = await w.tokenOf('anna');
}, 60_000);
afterAll(() => w.end());

async function searched(args: object) {
  const { json } = await w.tool(anna, 'search_rules', { scopes: ['sales'], text: 'hook rail', ...args });
  const { content, structuredContent } = json.result;
  const sizes = [content[0].text.length as number, JSON.stringify(structuredContent).length];
  return { found: structuredContent, sizes };
}

test('[RC3] ten bundles with quotes of 300 characters fit', async () => {
  const { found, sizes } = await searched({ limit: 10 });
  expect([found.bundles.length, found.truncated]).toEqual([10, null]);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
});

test('[RC3] fifty do not: what is left out is counted, and the log names every one', async () => {
  const { found, sizes } = await searched({ limit: RULES });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMIT);
  expect(found.bundles.length).toBeGreaterThan(10);
  expect(found.bundles.length + found.truncated.omitted).toBe(RULES);
  const db = new Database(join(w.dataDir, 'scopes/sales.sqlite'), { readonly: true });
  const refs = db.prepare('SELECT refs FROM search_log WHERE id = ?').pluck().get(found.search_id) as string;
  db.close();
  expect((JSON.parse(refs) as string[]).length).toBe(RULES);
});

test('[RC1] asked for in full nothing is left out', async () => {
  const { found, sizes } = await searched({ limit: RULES, detail: 'full' });
  expect(found.bundles).toHaveLength(RULES);
  expect(Math.max(...sizes)).toBeGreaterThan(LIMIT);
});
