import { CommanderError } from 'commander';

/** Exit codes of every command (E709, E710; contract of the rules, section 11). */
export const EXIT = { ok: 0, error: 1, usage: 2, check: 3 } as const;

/** A reason to stop, as storage, settings and commands state it. */
export interface Coded {
  readonly code: string;
  readonly message: string;
}

/** Thrown by a command that cannot go on; `runToExit` prints it. */
export class Stop extends Error implements Coded {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Prints `code: message` lines on stderr and makes the process end with exit code 1, once its work is done. */
export function refuse(...reasons: readonly Coded[]): void {
  for (const { code, message } of reasons) {
    // Storage states the whole line itself.
    const line = message.startsWith(`${code}: `) ? message : `${code}: ${message}`;
    process.stderr.write(`${oneLine(line)}\n`);
  }
  process.exitCode = EXIT.error;
}

/** Runs the program; whatever it throws becomes an exit code and, where the parser said nothing yet, a line on stderr. */
export async function runToExit(program: () => Promise<unknown>): Promise<void> {
  try {
    await program();
  } catch (thrown) {
    if (thrown instanceof CommanderError) process.exitCode = thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    else refuse(...reasonsOf(thrown));
  }
}

/** The reasons in a thrown value: a list it carries, a code of its own, or a fault of ours. */
function reasonsOf(thrown: unknown): readonly Coded[] {
  if (!(thrown instanceof Error)) return [{ code: 'internal', message: String(thrown) }];
  const { code, message, refusals } = thrown as Error & {
    readonly code?: unknown;
    readonly refusals?: readonly Coded[];
  };
  return refusals ?? [{ code: typeof code === 'string' && code !== '' ? code : 'internal', message }];
}

const oneLine = (message: string): string => message.replace(/\s*[\r\n]+\s*/g, ' ');
