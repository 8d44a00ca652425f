/** A place in a text, both counted from 1; columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export type JsonText =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly placeOf: (path: readonly PropertyKey[]) => Place | undefined;
    }
  | { readonly ok: false; readonly problem: string; readonly place: Place };

interface Fault {
  readonly problem: string;
  readonly offset: number;
}

const DEEPEST = 32;

/**
 * Reads strict JSON (RFC 8259; a BOM is skipped) and remembers where every key and entry stands. Beside bad syntax it
 * refuses a key that stands twice, of which JSON.parse would keep the last one silently. Never throws.
 */
export function readJsonText(source: string): JsonText {
  const offsets = new Map<string, number>();
  let at = source.startsWith('\uFEFF') ? 1 : 0;

  const fault = (problem: string, offset = at): Fault => ({ problem, offset });
  const skipBlank = (): void => {
    while (at < source.length && ' \t\r\n'.includes(source[at]!)) at++;
  };
  const take = (mark: string): boolean => {
    skipBlank();
    if (source[at] !== mark) return false;
    at++;
    return true;
  };

  function scalar(): unknown {
    SCALAR.lastIndex = at;
    const found = SCALAR.exec(source)?.[0];
    if (found === undefined) throw fault(at >= source.length ? 'the text ends too early' : 'a value is expected here');
    at += found.length;
    return JSON.parse(found) as unknown;
  }

  function text(): string {
    if (source[at] !== '"') throw fault('a key in double quotes is expected here');
    const start = at;
    do at += source[at] === '\\' ? 2 : 1;
    while (at < source.length && source[at] !== '"');
    at++;
    try {
      return JSON.parse(source.slice(start, at)) as string;
    } catch {
      throw fault('this text does not end, or holds what must be escaped', start);
    }
  }

  function value(path: readonly PropertyKey[]): unknown {
    skipBlank();
    if (path.length > DEEPEST) throw fault('nested too deeply');
    if (path.length > 0 && !offsets.has(pathKey(path))) offsets.set(pathKey(path), at);
    if (take('{')) return object(path);
    if (take('[')) return array(path);
    return source[at] === '"' ? text() : scalar();
  }

  function object(path: readonly PropertyKey[]): unknown {
    const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    if (take('}')) return found;
    do {
      skipBlank();
      const offset = at;
      const key = text();
      if (Object.hasOwn(found, key)) throw fault(`the key ${JSON.stringify(key)} stands twice`, offset);
      offsets.set(pathKey([...path, key]), offset);
      if (!take(':')) throw fault('a colon is expected here');
      found[key] = value([...path, key]);
    } while (take(','));
    if (!take('}')) throw fault('a comma or a closing brace is expected here');
    return found;
  }

  function array(path: readonly PropertyKey[]): unknown {
    const found: unknown[] = [];
    if (take(']')) return found;
    do found.push(value([...path, found.length]));
    while (take(','));
    if (!take(']')) throw fault('a comma or a closing bracket is expected here');
    return found;
  }

  try {
    const read = value([]);
    skipBlank();
    if (at < source.length) throw fault('the text should end here');
    return {
      ok: true,
      value: read,
      placeOf: path => {
        const offset = offsets.get(pathKey(path));
        return offset === undefined ? undefined : placeAt(source, offset);
      },
    };
  } catch (thrown) {
    const { problem, offset } = thrown as Fault;
    return { ok: false, problem, place: placeAt(source, offset) };
  }
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;

const pathKey = (path: readonly PropertyKey[]): string => JSON.stringify(path);

function placeAt(source: string, offset: number): Place {
  const before = source.slice(0, offset).split(/\r\n|\r|\n/);
  return {
    line: before.length,
    column: before.at(-1)!.length + (before.length === 1 && source[0] === '\uFEFF' ? 0 : 1),
  };
}
