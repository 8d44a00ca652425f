import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Child {
  readonly process: ChildProcess;
  /** Lines of standard output so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line that begins so; rejects when the process ends without one. */
  line(start: string): Promise<string>;
  /** Resolves to the exit code or the signal that ended it. */
  ended(): Promise<number | NodeJS.Signals>;
}

/** Runs a TypeScript file of the tests in a process of its own. */
export function startChild(script: string, args: readonly string[], before: readonly string[] = []): Child {
  const command = [...before, process.execPath, '--import', 'tsx', join(ROOT, 'test', script), ...args];
  const child = spawn(command[0]!, command.slice(1), { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { start: string; resolve(line: string): void; reject(error: Error): void }[] = [];
  const reader = createInterface({ input: child.stdout });
  const closed = once(reader, 'close');
  reader.on('line', line => {
    lines.push(line);
    for (const one of waiting) if (line.startsWith(one.start)) one.resolve(line);
  });
  const exit = once(child, 'exit').then(async ([code, signal]) => {
    await closed;
    for (const one of waiting) one.reject(new Error(`ended without a line ${one.start}: ${lines.join(' / ')}`));
    return (signal ?? code) as number | NodeJS.Signals;
  });
  return {
    process: child,
    lines,
    line(start) {
      const seen = lines.find(line => line.startsWith(start));
      if (seen !== undefined) return Promise.resolve(seen);
      return new Promise((resolve, reject) => void waiting.push({ start, resolve, reject }));
    },
    ended: () => exit,
  };
}
