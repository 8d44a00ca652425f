import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A server in a process of its own that tells its port once, and its CPU seconds whenever it is asked. */
export interface ServerProcess {
  readonly port: number;
  readonly hello: Readonly<Record<string, unknown>>;
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServerProcess(script: URL, args: readonly string[]): Promise<ServerProcess> {
  const child = fork(script, args, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Every question waits for an answer or the end, whichever comes.
  child.setMaxListeners(0);
  const hello = await message(child);
  return {
    port: hello['port'] as number,
    hello,
    async cpuSeconds() {
      child.send('cpu');
      return (await message(child))['cpu'] as number;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

async function message(child: ChildProcess): Promise<Record<string, unknown>> {
  const [sent] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the server process ended with ${code}`);
    }),
  ])) as [Record<string, unknown>];
  return sent;
}

/** The child's half: tells `hello`, answers for its CPU, and ends through `stop`. */
export function serveParent(hello: Readonly<Record<string, unknown>>, stop: () => Promise<void>): void {
  process.on('message', async asked => {
    if (asked === 'cpu') {
      const { user, system } = process.cpuUsage();
      process.send!({ cpu: (user + system) / 1e6 });
    }
    if (asked === 'stop') {
      await stop();
      process.exit(0);
    }
  });
  process.send!(hello);
}
