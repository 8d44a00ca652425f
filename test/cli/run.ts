import { spawn } from 'node:child_process';
import { join } from 'node:path';

const COMMAND = ['--import', import.meta.resolve('tsx'), join(import.meta.dirname, '../../src/cli/main.ts')];

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end with these variables and nothing else; this process goes on serving meanwhile. */
export function run(words: readonly string[], env: Readonly<Record<string, string>>, cwd = '/'): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...COMMAND, ...words], {
      cwd,
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', code => resolve({ code, stdout, stderr }));
  });
}
