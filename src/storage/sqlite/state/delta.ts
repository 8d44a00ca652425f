/** Shorter runs of equal characters are written out: naming them would take as much. */
const SHORTEST_COPY = 12;

/** Ranges of the text that a delta is made against (start and length), and texts in between, in order. */
type Delta = readonly (number | string)[];

/**
 * What makes `text` out of `against`, as JSON. Its size grows with what differs, line by line and from both ends of a changed
 * run; the work with the length of both texts.
 */
export function encodeDelta(against: string, text: string): string {
  const start = commonStart(against, text);
  const end = commonEnd(against, text, start);
  const parts: (number | string)[] = [];
  copy(parts, 0, start);
  between(parts, against.slice(start, against.length - end), text.slice(start, text.length - end), start);
  copy(parts, against.length - end, end);
  // JSON escapes halves of surrogate pairs, so a cut inside of one survives being stored as UTF-8.
  return JSON.stringify(parts);
}

/** Throws when the delta was not made against this text and reaches beyond it. */
export function applyDelta(against: string, delta: string): string {
  const parts = JSON.parse(delta) as Delta;
  const texts: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (typeof part === 'string') {
      texts.push(part);
      continue;
    }
    const length = parts[++at];
    if (typeof length !== 'number' || part + length > against.length)
      throw new Error('a delta reaches beyond its text');
    texts.push(against.slice(part, part + length));
  }
  return texts.join('');
}

/** Runs of whole lines that both texts have are copied; what lies between two runs is compared from its ends. */
function between(parts: (number | string)[], against: string, text: string, offset: number): void {
  const places = linePlaces(against);
  let next = 0;
  let done = 0;
  for (let at = 0; at < text.length;) {
    const line = lineAt(text, at);
    const found = places.get(line);
    const place = found && (found.find(where => where >= next) ?? found[0]);
    if (place === undefined || line.length < SHORTEST_COPY) {
      at += line.length;
      continue;
    }
    let length = line.length;
    while (at + length < text.length && place + length < against.length) {
      const one = lineAt(text, at + length);
      if (!against.startsWith(one, place + length)) break;
      length += one.length;
    }
    changed(parts, place >= next ? against.slice(next, place) : '', text.slice(done, at), offset + next);
    copy(parts, offset + place, length);
    next = place + length;
    at += length;
    done = at;
  }
  changed(parts, against.slice(next), text.slice(done), offset + next);
}

function changed(parts: (number | string)[], against: string, text: string, offset: number): void {
  let start = commonStart(against, text);
  if (start < SHORTEST_COPY) start = 0;
  let end = commonEnd(against, text, start);
  if (end < SHORTEST_COPY) end = 0;
  copy(parts, offset, start);
  if (text.length > start + end) parts.push(text.slice(start, text.length - end));
  copy(parts, offset + against.length - end, end);
}

function copy(parts: (number | string)[], start: number, length: number): void {
  if (length === 0) return;
  const [before, sofar] = [parts.at(-2), parts.at(-1)];
  if (typeof before === 'number' && typeof sofar === 'number' && before + sofar === start) {
    parts[parts.length - 1] = sofar + length;
  } else parts.push(start, length);
}

/** Where the lines of a text stand, the first few places of each. */
function linePlaces(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at < text.length;) {
    const line = lineAt(text, at);
    const known = places.get(line);
    if (!known) places.set(line, [at]);
    else if (known.length < 8) known.push(at);
    at += line.length;
  }
  return places;
}

/** From there to behind the next line break. */
function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end + 1);
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Not counting the first `start` characters of either. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length;
}
