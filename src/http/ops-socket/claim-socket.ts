import { lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { StartRefusal } from '../../kernel/start-refusal.ts';

/** Makes room for a socket: what a crash left is removed, anything else is `ops-socket-unavailable`. */
export async function claimSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (!found.isSocket()) throw unavailable(`${path} is there and is no socket`);
  const answer = await knock(path);
  if (answer === 'connected') throw unavailable(`${path} is served by another process`);
  if (answer !== 'ECONNREFUSED' && answer !== 'ENOENT') throw unavailable(`${path} cannot be looked at: ${answer}`);
  rmSync(path, { force: true });
}

const unavailable = (message: string): StartRefusal => new StartRefusal('ops-socket-unavailable', message);

/** Whether somebody listens there; else the code of the error. */
function knock(path: string): Promise<string> {
  return new Promise(resolve => {
    const socket = connect({ path });
    const done = (answer: string): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done('connected'));
    socket.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    socket.setTimeout(2000, () => done('it does not answer'));
  });
}
