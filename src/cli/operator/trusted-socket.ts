import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { Stop } from '../exit.ts';

/**
 * The operator's socket in a data folder, links resolved, once it is certain that nobody else can have put it there: the token is
 * sent to it (rules contract 11). Stops with `ops-unreachable` when it is not there, `ops-socket-untrusted` when it may be false.
 */
export function trustedSocket(dataDir: string, me: number | undefined = process.getuid?.()): string {
  const given = there(dataDir, `there is no data folder ${dataDir}`);
  if (given.isSymbolicLink()) throw untrusted(`${dataDir} is a link`);
  if (!given.isDirectory()) throw untrusted(`${dataDir} is no folder`);
  if (given.uid !== me) throw untrusted(`${dataDir} belongs to another user`);
  if ((given.mode & 0o777) !== 0o700) throw untrusted(`${dataDir} must be for its owner alone: chmod 700 ${dataDir}`);
  const folder = realpathSync(dataDir);
  for (const parent of parentsOf(folder)) {
    const { uid, mode } = statSync(parent);
    if (uid !== 0 && uid !== me) throw untrusted(`${parent}, above ${dataDir}, belongs to another user`);
    const isSticky = (mode & 0o1000) !== 0;
    if ((mode & 0o022) !== 0 && !isSticky) throw untrusted(`${parent}, above ${dataDir}, can be changed by others`);
  }
  const path = join(folder, 'ops.sock');
  const socket = there(path, `nothing serves ${path}; is the server running, and does its configuration name scopes?`);
  if (!socket.isSocket()) throw untrusted(`${path} is no socket`);
  if (socket.uid !== me) throw untrusted(`${path} belongs to another user`);
  return path;
}

function there(path: string, otherwise: string): Stats {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) throw new Stop('ops-unreachable', otherwise);
  return found;
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

const untrusted = (message: string): Stop => new Stop('ops-socket-untrusted', message);
