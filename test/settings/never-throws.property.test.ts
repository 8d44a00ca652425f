import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEYS, REFUSAL_CODES, rowOf, variablesOf } from '../../src/kernel/settings/index.ts';
import { readJsonText } from '../../src/kernel/settings/json-text.ts';
import { read, sample } from './reading.ts';

const numbered = ['CAIRN_AUTH_OIDC_ISSUER_2', 'ESCUREL_AUTH_JWKS_URI_2', 'GROUNDNOTE_AUTH_OIDC_ISSUER_999999999'];
const names = [
  ...KEYS.flatMap(key => variablesOf(rowOf(key)).flat()),
  ...numbered,
  '__proto__',
  'CAIRN_',
  'constructor',
];
const words = KEYS.filter(key => variablesOf(rowOf(key)).length > 0 && !key.startsWith('config')).map(sample);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.constantFrom(...words, ''));
const anyEnvironment = fc.dictionary(fc.constantFrom(...names), anyText, { maxKeys: 12 });
const anyJson = fc.json({ maxDepth: 4, stringUnit: 'binary' });

/** Known keys with any values, and unknown ones among them. */
const anyConfig = fc
  .dictionary(
    fc.constantFrom(...KEYS.map(key => key.split('.')[0]!), '__proto__', 'x'),
    fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...KEYS.map(key => key.split('.').at(-1)!)), fc.jsonValue()),
    ),
  )
  .map(config => JSON.stringify(config));

/** Settings, or refusals that each say something under a code of the list. */
function holds(reading: ReturnType<typeof read>): boolean {
  if (reading.ok) return true;
  const sound = reading.refusals.every(({ code, message }) => REFUSAL_CODES.includes(code) && message !== '');
  return sound && reading.refusals.length > 0;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const accepts = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('reading never throws', () => {
  test('[ST20] whatever the variables hold', () => {
    fc.assert(
      fc.property(anyEnvironment, env => void expect(holds(read(env))).toBe(true)),
      { numRuns: 400 },
    );
  });

  test('[ST20] whatever the files hold', () => {
    const env = { CAIRN_AUTH_MODE: 'open', ESCUREL_CONFIG: 'old.toml' };
    const anyFile = fc.oneof(anyText, anyJson, anyConfig);
    const property = fc.property(
      anyFile,
      anyText,
      (json, toml) => void expect(holds(read(env, { 'cairn.json': json, 'old.toml': toml }))).toBe(true),
    );
    fc.assert(property, { numRuns: 400 });
  });

  test('[ST20] not even for TOML that nests without end', () => {
    const deep = `x = ${'['.repeat(200_000)}`;
    expect(read({ CAIRN_AUTH_MODE: 'open', ESCUREL_CONFIG: 'old.toml' }, { 'old.toml': deep }).ok).toBe(false);
  });
});

describe('JSON with places', () => {
  test('[ST31] what JSON.parse reads is read alike, in any layout', () => {
    const property = fc.property(
      fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }),
      fc.constantFrom(0, 1, '\t', '\r\n'),
      (value, blank) => {
        const read1 = readJsonText(
          JSON.stringify(value, null, typeof blank === 'string' && blank !== '\t' ? 2 : blank).replaceAll(
            '\n',
            blank === '\r\n' ? '\r\n' : '\n',
          ),
        );
        expect(read1.ok && plain(read1.value)).toEqual(plain(value));
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  test('[ST31] what JSON.parse refuses is refused', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', '\\', '\u0001', '0', 'é'))
      .map(([text, at, mark]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + mark + text.slice(place + 1);
      });
    const property = fc.property(broken, text => {
      const read1 = readJsonText(text);
      // A key that stands twice is refused beside what JSON.parse refuses, and before what follows it.
      fc.pre(read1.ok || !read1.problem.includes('twice'));
      expect(read1.ok).toBe(accepts(text));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test('[ST31] every key and entry has its place', () => {
    const text = '{\n  "a": [1, {"b": 2}],\r\n\t"ä": null\n}';
    const read1 = readJsonText(text);
    const placeOf = (...path: PropertyKey[]) => (read1.ok ? read1.placeOf(path) : undefined);
    expect(placeOf('a')).toEqual({ line: 2, column: 3 });
    expect(placeOf('a', 1)).toEqual({ line: 2, column: 12 });
    expect(placeOf('a', 1, 'b')).toEqual({ line: 2, column: 13 });
    expect(placeOf('ä')).toEqual({ line: 3, column: 2 });
    expect(placeOf('gone')).toBeUndefined();
  });
});
