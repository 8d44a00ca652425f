import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { world as product } from '../world.ts';
import { EVERY_TOOL, readied } from './every-tool.ts';
import { ADMIN, world, type World } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'python-client-'));

/** Runs a program to its end; rejects with what it said when it fails. */
const run = (command: string, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', chunk => (out += chunk));
    child.stderr.on('data', chunk => (err += chunk));
    child.on('error', reject);
    child.on('close', code => (code === 0 ? resolve(out) : reject(new Error(err.slice(-2000)))));
  });

/** An interpreter that has this release, or why there is none. */
async function installed(name: string, requirement: string): Promise<{ python: string } | { missing: string }> {
  const place = join(folder, name);
  try {
    await run('python3', '-m', 'venv', place);
    await run(join(place, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', requirement);
    return { python: join(place, 'bin/python') };
  } catch (thrown) {
    const missing = thrown instanceof Error ? thrown.message : String(thrown);
    process.stderr.write(`the Python client ${requirement} is skipped: ${missing}\n`);
    return { missing };
  }
}

const first = await installed('first', 'mcp>=1.20,<2');
const second = await installed('second', 'mcp>=2,<3');

const CLIENTS = [
  ['1.x', 'first.py', first, [], '2025-11-25'],
  ['2.x with a handshake', 'second.py', second, ['legacy'], '2025-11-25'],
  ['2.x that finds out', 'second.py', second, ['auto'], '2026-07-28'],
  ['2.x pinned', 'second.py', second, ['2026-07-28'], '2026-07-28'],
] as const;

describe('the Python client', () => {
  let w: World;
  beforeAll(async () => {
    w = await world();
    w.release();
  });
  afterAll(async () => {
    await w.stop(0);
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, script, where, more, revision] of CLIENTS)
    test.skipIf('missing' in where)(`[HT54] ${name} lists and calls every tool`, async () => {
      const calls = [
        ['echo', { text: 'Grüße 🌍', nested: { depth: 1, name: 'n' }, maybe: null }],
        ['write', { ok: true }],
        ['report', {}],
        ['fail', { code: 'failed_precondition' }],
        ['noted', {}],
        ['wait', {}],
        ['secret_admin', {}],
      ] as const;
      const python = 'python' in where ? where.python : '';
      const path = join(import.meta.dirname, 'python', script);
      const output = await run(python, path, `${w.url}/mcp`, ADMIN, JSON.stringify(calls), ...more);
      expect(JSON.parse(output)).toEqual({
        revision,
        tools: calls.map(([tool]) => tool),
        heard: [
          { error: false, value: { given: calls[0][1] } },
          { error: false, value: { ok: true, issues: [] } },
          { error: false, value: { ok: false } },
          { code: -32002 },
          { error: false, value: {} },
          { error: false, value: { done: true } },
          { error: false, value: { ok: true } },
        ],
      });
    });

  for (const [name, script, where, more] of CLIENTS.slice(0, 2))
    test.skipIf('missing' in where)(`[HT54] ${name} lists and calls every tool of the pages`, async () => {
      const whole = await product();
      try {
        const token = await readied(whole);
        const python = 'python' in where ? where.python : '';
        const path = join(import.meta.dirname, 'python', script);
        const said = JSON.parse(
          await run(python, path, `${whole.url}/mcp/pages`, token, JSON.stringify(EVERY_TOOL), ...more),
        );
        expect(said.tools.toSorted()).toEqual([...new Set(EVERY_TOOL.map(([tool]) => tool))].toSorted());
        const heard = said.heard as { error?: boolean; value?: unknown }[];
        expect(heard.map(({ error, value }, at) => [EVERY_TOOL[at]![0], error, typeof value])).toEqual(
          EVERY_TOOL.map(([tool]) => [tool, false, 'object']),
        );
      } finally {
        await whole.end();
      }
    });
});
