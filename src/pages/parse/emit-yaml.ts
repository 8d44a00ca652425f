import type { Json, JsonObject } from '../../kernel/json.ts';
import { MAX_DEPTH } from './yaml.ts';

/** Text that every YAML reader takes for this very text: it begins with a letter and holds no indicator. */
const PLAIN = /^[\p{L}_](?:[\p{L}\p{M}\p{N} _./()+,;&@!?%'-]|:(?=[^\s]))*$/u;
const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
// oxlint-disable-next-line no-control-regex -- what YAML forbids in plain sight
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u;
const QUOTED_ESCAPES = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** Longer keys are no implicit keys in YAML. */
const MAX_KEY = 1000;

/**
 * The lines of a block mapping that reads back as exactly this mapping, under YAML 1.1 and 1.2 alike (F01, F03).
 * Throws a RangeError for values nested deeper than a header may be.
 */
export function emitMapping(mapping: JsonObject): string[] {
  return Object.keys(mapping).length === 0 ? ['{}'] : block(mapping, '', 0);
}

function block(value: Json[] | JsonObject, indent: string, depth: number): string[] {
  if (depth >= MAX_DEPTH) throw new RangeError(`a header cannot nest deeper than ${MAX_DEPTH} levels`);
  const lines: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isCollection(item)) {
        const [first, ...rest] = block(item, `${indent}  `, depth + 1);
        lines.push(`${indent}- ${first!.slice(indent.length + 2)}`, ...rest);
      } else lines.push(...scalar(`${indent}-`, item, indent));
    }
    return lines;
  }
  for (const key of Object.keys(value)) {
    const item = value[key]!;
    const long = key.length > MAX_KEY;
    if (long) lines.push(`${indent}? ${quote(key)}`);
    const label = long ? `${indent}:` : `${indent}${isPlain(key) ? key : quote(key)}:`;
    if (isCollection(item)) lines.push(label, ...block(item, `${indent}  `, depth + 1));
    else lines.push(...scalar(label, item, indent));
  }
  return lines;
}

function isCollection(value: Json): value is Json[] | JsonObject {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(label: string, value: Json, indent: string): string[] {
  if (typeof value === 'number') return [`${label} ${number(value)}`];
  if (typeof value !== 'string') return [`${label} ${JSON.stringify(value)}`];
  if (!isLiteral(value)) return [`${label} ${isPlain(value) ? value : quote(value)}`];
  const lines = value.split('\n');
  const ended = lines.at(-1) === '';
  if (ended) lines.pop();
  return [`${label} ${ended ? '|' : '|-'}`, ...lines.map(line => (line === '' ? '' : `${indent}  ${line}`))];
}

function isPlain(text: string): boolean {
  return PLAIN.test(text) && !text.endsWith(' ') && !RESERVED.test(text);
}

/** Text of several lines that a literal block (`|`) shows as it is. */
function isLiteral(text: string): boolean {
  return /^\S/.test(text) && /\n/.test(text) && !/[ \t]$|[ \t]\n|\n\n$/.test(text) && !UNPRINTABLE.test(text);
}

function quote(text: string): string {
  return JSON.stringify(text).replace(QUOTED_ESCAPES, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Integers that a double holds only by chance are written as floats, so that they are read as numbers again. */
function number(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isFinite(value)) return 'null';
  const text = String(value);
  return Number.isSafeInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
}
