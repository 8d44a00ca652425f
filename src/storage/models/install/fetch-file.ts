import { createHash } from 'node:crypto';
import { createReadStream, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ModelRefusal } from '../model-refusal.ts';
import { reasonOf, type Hub, type HubFile, type HubModel } from './hub-files.ts';

const ATTEMPTS = 4;
/** A connection on which nothing comes for so long is given up. */
const SILENCE_MS = 30_000;

/**
 * Brings one file, going on where an earlier try ended, and checks it; a file that is there already is taken as it is when it is
 * whole. Throws ModelRefusal: `model-download-failed`, with what came kept for the next time, or `model-damaged`.
 */
export async function fetchFile(hub: Hub, model: HubModel, file: HubFile, to: string): Promise<void> {
  const part = `${to}.part`;
  if (file.sum !== null && (await isRight(file, to))) return;
  for (let attempt = 1; ; attempt++) {
    try {
      if (!(await isWhole(file, part))) await bring(hub, model, file, part);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS) {
        throw new ModelRefusal(
          'model-download-failed',
          `${file.path}: ${reasonOf(error)}; the next call goes on from there`,
        );
      }
    }
  }
  if (!(await isRight(file, part))) {
    rmSync(part, { force: true });
    throw new ModelRefusal('model-damaged', `${file.path} is not what the hub says it is; nothing of it was kept`);
  }
  renameSync(part, to);
}

async function bring(hub: Hub, { name, commit }: HubModel, { path }: HubFile, part: string): Promise<void> {
  const have = sizeOf(part);
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(new Error('nothing comes any more')), SILENCE_MS);
  try {
    const response = await hub.fetch(`${hub.url}/${name}/resolve/${commit}/${path}`, {
      headers: have > 0 ? { range: `bytes=${have}-` } : {},
      signal: silence.signal,
    });
    // Nothing is left of it: the hub has no such range.
    if (response.status === 416) return;
    if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
    // A hub that sends all of it again starts the file anew.
    const out = await open(part, response.status === 206 ? 'a' : 'w', 0o600);
    try {
      for await (const chunk of response.body) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(new Error('nothing comes any more')), SILENCE_MS);
        await out.write(chunk);
      }
      await out.sync();
    } finally {
      await out.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function isWhole(file: HubFile, part: string): Promise<boolean> {
  return file.size !== null && sizeOf(part) === file.size && (await isRight(file, part));
}

async function isRight({ sum, size }: HubFile, part: string): Promise<boolean> {
  const found = sizeOf(part);
  if (size !== null && found !== size) return false;
  if (sum === null) return true;
  const digest = createHash(sum.kind === 'sha256' ? 'sha256' : 'sha1');
  if (sum.kind === 'git') digest.update(`blob ${found}\0`);
  for await (const chunk of createReadStream(part, { highWaterMark: 1 << 20 })) digest.update(chunk as Buffer);
  return digest.digest('hex') === sum.hex;
}
