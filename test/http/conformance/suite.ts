import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { defineOp, withDeps, type BoundOp } from '../../../src/kernel/op.ts';
import { openVerifier, world, type World } from '../world.ts';

/** A command line of the suite, without its arguments. */
export type Suite = readonly [command: string, ...args: string[]];

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** Tools that scenarios call by name, as ops like any other. */
const diagnostic = (name: string, payload: Record<string, unknown>): BoundOp =>
  withDeps(
    defineOp({
      name,
      surface: 'pages',
      effect: 'read',
      execution: 'deterministic',
      scope: 'agent',
      quota: 'queries',
      summary: 'Called by the conformance suite.',
      input: z.object({}),
      output: z.looseObject({}),
      publishesOutput: false,
      run: async () => payload,
    }),
    {},
  );

/** A call that takes a tenth of a second and says how far it is. */
const slow: BoundOp = {
  ...diagnostic('test_tool_with_progress', {}),
  async run({ progress }) {
    for (const done of [0, 50, 100]) {
      progress?.(done, 100);
      await setTimeout(50);
    }
    return { text: 'done' };
  },
};

/** A server without sign-in, since the suite brings no token, with the tools that the scenarios run here call. */
export const conformanceWorld = (): Promise<World> =>
  world({
    verifier: openVerifier,
    ops: [
      diagnostic('test_simple_text', { text: 'This is a simple text response for testing.' }),
      diagnostic('test_error_handling', { ok: false, message: 'This tool intentionally returns an error for testing' }),
      diagnostic('test_logging_tool', {}),
      slow,
    ],
  });

/** Every scenario for servers that the suite lists, with the revisions it applies to. */
export async function scenariosOf(suite: Suite): Promise<{ name: string; revisions: string[] }[]> {
  const { output } = await run(suite, ['list', '--server']);
  return [...output.matchAll(/^ {2}- (\S+) \[([^\]]*)\]$/gm)].map(match => ({
    name: match[1]!,
    revisions: match[2]!.split(','),
  }));
}

/** The checks of one scenario against a server. */
export async function checksOf(suite: Suite, url: string, scenario: string, revision: string): Promise<Check[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', revision, '-o', folder];
    const { output } = await run(suite, args);
    const [results] = readdirSync(folder);
    if (!results) throw new Error(`${scenario} left no results: ${output}`);
    return JSON.parse(readFileSync(join(folder, results, 'checks.json'), 'utf8')) as Check[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the suite once; a failing scenario is no error, its checks say more. */
export function run([command, ...fixed]: Suite, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...fixed, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? 1, output }));
  });
}
