import { bad, good, textKind, type Kind, type Parsed } from './kind.ts';
import type { RefusalCode } from './refusal.ts';

const CONTROL = /\p{Cc}/u;

/** Any text of one line; with `pattern`, only what matches it. */
export function text(says = 'text', pattern?: RegExp): Kind<string> {
  const must = pattern ? `must be ${says}` : 'must be a text of one line';
  return textKind(says, must, value =>
    value !== '' && !CONTROL.test(value) && (pattern?.test(value) ?? true) ? good(value) : bad(must),
  );
}

/** A secret of at least `min` characters, without white space, which no header could carry. */
export function secret(min = 1): Kind<string> {
  const says = min > 1 ? `secret, at least ${min} characters` : 'secret';
  return textKind(says, 'must be a text', value => {
    if (/\s/.test(value) || CONTROL.test(value)) return bad('must not hold white space');
    return value.length < min ? bad(`must have at least ${min} characters`, 'secret-too-short') : good(value);
  });
}

interface ChoiceOptions<V extends string> {
  /** Other spellings of a value. */
  readonly spellings?: Readonly<Record<string, V>>;
  /** Used, with a remark, for a value that is not known. Without it such a value is refused. */
  readonly unknown?: V;
  readonly code?: RefusalCode;
}

/** One of a few words, in any case. */
export function choice<const V extends string>(values: readonly V[], options: ChoiceOptions<V> = {}): Kind<V> {
  const words = new Map<string, V>([
    ...values.map(value => [value, value] as const),
    ...Object.entries(options.spellings ?? {}),
  ]);
  const must = `must be one of ${values.join(', ')}`;
  const read = (value: string): Parsed<V> => {
    const known = words.get(value.toLowerCase());
    if (known !== undefined) return good(known);
    if (options.unknown === undefined) return bad(must, options.code);
    return { ok: true, value: options.unknown, remark: `not one of ${values.join(', ')}: ${options.unknown} is used` };
  };
  return textKind(values.join(', '), must, read);
}

const FLAGS = new Map([
  ...['1', 'true', 'yes', 'on'].map(word => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map(word => [word, false] as const),
]);

/** `true`, `1`, `yes`, `on` or `false`, `0`, `no`, `off`; in files a boolean and nothing else (rules contract 3). */
export function flag(): Kind<boolean> {
  const must = 'must be true or false';
  const read = (value: string): Parsed<boolean> => {
    const known = FLAGS.get(value.toLowerCase());
    return known === undefined ? bad(must) : good(known);
  };
  return {
    says: 'true, false',
    text: read,
    data: value => (typeof value === 'boolean' ? good(value) : bad(must)),
  };
}

/** A whole number between two bounds, both included. */
export function integer(min: number, max: number): Kind<number> {
  const says = `whole number, ${min} to ${max}`;
  const must = `must be a whole number from ${min} to ${max}`;
  const check = (value: number): Parsed<number> =>
    Number.isInteger(value) && value >= min && value <= max ? good(value) : bad(must);
  return {
    says,
    text: value => {
      // A cluster sets NAME_PORT to an address for a service of that name; without this hint nobody finds out why.
      if (value.startsWith('tcp://'))
        return bad(`${must}; a service link of the cluster set it, turn service links off`);
      return /^[+-]?\d{1,15}$/.test(value) ? check(Number(value)) : bad(must);
    },
    data: value => (typeof value === 'number' ? check(value) : bad(must)),
  };
}

/** A number between two bounds, both included. */
export function decimal(min: number, max: number): Kind<number> {
  const must = `must be a number from ${min} to ${max}`;
  const check = (value: number): Parsed<number> => (value >= min && value <= max ? good(value) : bad(must));
  return {
    says: `number, ${min} to ${max}`,
    text: value => (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value) ? check(Number(value)) : bad(must)),
    data: value => (typeof value === 'number' ? check(value) : bad(must)),
  };
}

/** Several values of one kind: separated by commas in a variable, an array in a file. */
export function list<T>(of: Kind<T>): Kind<readonly T[]> {
  const all = <V>(values: readonly V[], read: (value: V) => Parsed<T>): Parsed<readonly T[]> => {
    const parsed = values.map(read);
    const wrong = parsed.find(one => !one.ok);
    return wrong && !wrong.ok
      ? bad(`every entry ${wrong.must}`)
      : good(parsed.flatMap(one => (one.ok ? [one.value] : [])));
  };
  return {
    says: `list of: ${of.says}`,
    text: value =>
      all(
        value
          .split(',')
          .map(part => part.trim())
          .filter(part => part !== ''),
        part => of.text(part),
      ),
    data: value => (Array.isArray(value) ? all(value, part => of.data(part)) : bad('must be an array')),
  };
}
