/** Bytes that grow; what is written stays until `take`, and what that answers until the next write. */
export interface ByteWriter {
  varint(value: number): void;
  byte(value: number): void;
  bytes(data: Uint8Array): void;
  size(): number;
  take(): Buffer;
}

export function byteWriter(): ByteWriter {
  let buffer = Buffer.allocUnsafe(4096);
  let at = 0;
  const room = (more: number): void => {
    if (at + more <= buffer.length) return;
    const bigger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + more));
    buffer.copy(bigger, 0, 0, at);
    buffer = bigger;
  };
  return {
    varint(value) {
      room(6);
      while (value > 127) {
        buffer[at++] = (value & 127) | 128;
        value = Math.floor(value / 128);
      }
      buffer[at++] = value;
    },
    byte(value) {
      room(1);
      buffer[at++] = value;
    },
    bytes(data) {
      room(data.length);
      buffer.set(data, at);
      at += data.length;
    },
    size: () => at,
    take() {
      const taken = buffer.subarray(0, at);
      at = 0;
      return taken;
    },
  };
}

/** Calls back for each pair of numbers; numbers stay below 2^31. */
export function readPairs(data: Uint8Array, each: (first: number, second: number) => void): void {
  for (let at = 0; at < data.length;) {
    let byte = data[at++]!;
    let first = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++]!;
      first |= (byte & 127) << shift;
    }
    byte = data[at++]!;
    let second = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[at++]!;
      second |= (byte & 127) << shift;
    }
    each(first, second);
  }
}

/**
 * Decodes one part of a posting list into `docs` and `weights` from index `at` on, up to document `last`; answers the next free
 * index. Both must have room for as many entries as the part has bytes.
 */
export function readPostings(
  data: Uint8Array,
  last: number,
  docs: Uint32Array,
  weights: Uint8Array,
  at: number,
): number {
  const end = data.length;
  let doc = 0;
  let from = 0;
  while (from < end) {
    let byte = data[from++]!;
    let delta = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = data[from++]!;
      delta |= (byte & 127) << shift;
    }
    doc += delta;
    if (doc > last) return at;
    docs[at] = doc;
    weights[at++] = data[from++]!;
  }
  return at;
}
