/** One thing a process asked of the file system, in the order in which the kernel answered. Paths are absolute. */
export type FileEvent =
  | { readonly kind: 'open'; readonly path: string; readonly create: boolean; readonly truncate: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync-begin' | 'sync-end'; readonly path: string; readonly id: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'mkdir'; readonly path: string };

export const TRACED =
  'open,openat,creat,close,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,' +
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,copy_file_range,sendfile';

/** What strace must be told for its output to be read here. */
export const STRACE = ['-f', '-y', '-xx', '-s', '100000000', '-e', `trace=${TRACED}`, '-e', 'signal=none'];

const CALL = /^(\d+) +(\w+)\((.*)$/;
const RESUMED = /^(\d+) +<\.\.\. (\w+) resumed>(.*)$/;
const UNFINISHED = ' <unfinished ...>';

/** Reads the output of `strace` with the options above. Throws for a call on a file below `root` that it cannot follow. */
export function fileEvents(trace: string, root: string): FileEvent[] {
  const events: FileEvent[] = [];
  const pending = new Map<string, { call: string; args: string; sync: number | undefined }>();
  const positions = new Map<number, number>();
  let syncs = 0;

  const beginSync = (call: string, args: string): number | undefined => {
    if (call !== 'fsync' && call !== 'fdatasync') return undefined;
    const path = handleOf(args)?.path;
    if (path === undefined) return undefined;
    syncs += 1;
    events.push({ kind: 'sync-begin', path, id: syncs });
    return syncs;
  };

  for (const line of trace.split('\n')) {
    const resumed = RESUMED.exec(line);
    if (resumed) {
      const begun = pending.get(resumed[1]!);
      pending.delete(resumed[1]!);
      if (begun) finish(begun.call, begun.args + resumed[3]!, begun.sync);
      continue;
    }
    const called = CALL.exec(line);
    if (!called) continue;
    const [, thread, call, rest] = called as unknown as [string, string, string, string];
    const sync = beginSync(call, rest);
    if (rest.endsWith(UNFINISHED)) pending.set(thread, { call, args: rest.slice(0, -UNFINISHED.length), sync });
    else finish(call, rest, sync);
  }
  return events;

  function finish(call: string, text: string, sync: number | undefined): void {
    const answer = /\)\s*= (-?\d+)/.exec(text.slice(text.lastIndexOf(')')))?.[1];
    if (answer === undefined || answer.startsWith('-')) return;
    const strings = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(match => bytes(match[1]!));
    const paths = (): string[] => strings.map(string => string.toString('utf8'));
    const handle = handleOf(text);
    const known = (path: string | undefined): path is string => path !== undefined;
    switch (call) {
      case 'open':
      case 'openat':
      case 'creat': {
        positions.set(Number(answer), 0);
        const path = paths()[0];
        if (known(path)) {
          events.push({
            kind: 'open',
            path,
            create: call === 'creat' || text.includes('O_CREAT'),
            truncate: call === 'creat' || text.includes('O_TRUNC'),
          });
        }
        return;
      }
      case 'write': {
        if (!handle) return;
        const offset = positions.get(handle.fd) ?? 0;
        positions.set(handle.fd, offset + Number(answer));
        events.push({ kind: 'write', path: handle.path, offset, data: strings[0]!.subarray(0, Number(answer)) });
        return;
      }
      case 'pwrite64': {
        const offset = Number(/, (\d+)\)\s*= \d+$/.exec(text)?.[1]);
        if (handle)
          events.push({ kind: 'write', path: handle.path, offset, data: strings[0]!.subarray(0, Number(answer)) });
        return;
      }
      case 'ftruncate':
        if (handle)
          events.push({ kind: 'truncate', path: handle.path, size: Number(/, (\d+)\)\s*= 0/.exec(text)?.[1]) });
        return;
      case 'fsync':
      case 'fdatasync':
        if (handle && sync !== undefined) events.push({ kind: 'sync-end', path: handle.path, id: sync });
        return;
      case 'rename':
      case 'renameat':
      case 'renameat2': {
        const [from, to] = paths();
        if (known(from) && known(to)) events.push({ kind: 'rename', from, to });
        return;
      }
      case 'unlink':
      case 'unlinkat':
        events.push({ kind: 'unlink', path: paths()[0]! });
        return;
      case 'mkdir':
      case 'mkdirat':
        events.push({ kind: 'mkdir', path: paths()[0]! });
        return;
      case 'close':
        return;
      default:
        if ([handle?.path, ...paths()].some(path => path?.startsWith(root))) throw new Error(`cannot follow ${call}`);
    }
  }
}

/** The first argument when it is a handle of a file that still has its name. */
function handleOf(text: string): { fd: number; path: string } | undefined {
  const [, fd, path, gone] = /^(\d+)<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?/.exec(text) ?? [];
  return fd === undefined || gone !== undefined ? undefined : { fd: Number(fd), path: bytes(path!).toString('utf8') };
}

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
