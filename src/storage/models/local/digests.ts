import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ModelRefusal } from '../model-refusal.ts';

/** Lower-case hex SHA-256 by file name. */
export type Digests = Readonly<Record<string, string>>;

/** File beside a model that says what its files are to be. */
export const CHECKSUMS = 'checksums.json';

export async function digestOf(path: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum.update(chunk as Buffer);
  return sum.digest('hex');
}

/** Of those files of a folder; checked against checksums.json where there is one. Throws ModelRefusal `model-damaged`. */
export async function digestsOf(folder: string, names: readonly string[]): Promise<Digests> {
  const wanted = expected(folder);
  const found: Record<string, string> = {};
  for (const name of names) {
    const digest = await digestOf(join(folder, name));
    if (wanted[name] !== undefined && wanted[name] !== digest) {
      throw new ModelRefusal(
        'model-damaged',
        `${join(folder, name)} is not what ${CHECKSUMS} says; add the model again`,
      );
    }
    found[name] = digest;
  }
  return found;
}

function expected(folder: string): Digests {
  let text: string;
  try {
    text = readFileSync(join(folder, CHECKSUMS), 'utf8');
  } catch {
    return {};
  }
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    throw new ModelRefusal('model-damaged', `${join(folder, CHECKSUMS)} cannot be read; add the model again`);
  }
}
