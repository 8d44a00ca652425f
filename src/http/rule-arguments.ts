import type { Failure } from '../kernel/failure.ts';
import { isObject, type Json } from '../kernel/json.ts';
import { nearest } from '../kernel/nearest.ts';
import type { BoundOp } from '../kernel/op.ts';
import { coercion, type Coerce } from './coerce.ts';
import { branchesOf, rawSchema, typesOf, type JsonSchema } from './wire-schema.ts';

/**
 * Arguments of a rules tool as its schema will see them: text that stands for another declared type is read (M05), null stands
 * for absent where the schema has no null. Nothing is refused and nothing left out here: who calls is looked at first.
 */
export type ReadRuleArguments = (raw: unknown, note: (key: string, value: Json) => void) => unknown;

export function ruleArgumentReader(op: BoundOp): ReadRuleArguments {
  const keys = new Map(
    Object.entries(propertiesOf(rawSchema(op.input, 'input'))).map(([name, node]) => [
      name,
      { coerce: coercion(node), admitsNull: typesOf(node)?.includes('null') ?? true },
    ]),
  );
  const whole: Coerce = coercion({ type: 'object' });
  return (raw, note) => {
    const given = whole(raw ?? {});
    if (!isObject(given)) return given;
    const coerced: string[] = [];
    const read = Object.entries(given).flatMap(([name, value]) => {
      const key = keys.get(name);
      if (!key) return [[name, value] as const];
      if (value === null && !key.admitsNull) return [];
      const next = key.coerce(value);
      if (next !== value) coerced.push(name);
      return [[name, next] as const];
    });
    if (coerced.length > 0) note('coerced_arguments', coerced);
    return Object.fromEntries(read);
  };
}

/** What is wrong with one argument. `nearest`: the name that an unknown one was probably meant to be. */
interface ArgumentProblem {
  readonly place: string;
  readonly message: string;
  readonly nearest?: string;
}

const MAX_PROBLEMS = 20;
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/** What the input schema refused: first keys that it does not have, with the names they were probably meant to be. */
export function problemsOf(op: Pick<BoundOp, 'input'>, failure: Failure): ArgumentProblem[] {
  const issues = Array.isArray(failure.data['issues']) ? (failure.data['issues'] as unknown[]).filter(isObject) : [];
  const unknown = issues.flatMap(issue => {
    const keys = issue['code'] === 'unrecognized_keys' && Array.isArray(issue['keys']) ? issue['keys'] : [];
    return keys.slice(0, MAX_PROBLEMS).map(key => unknownKey(op, pathOf(issue), String(key)));
  });
  const others = issues
    .filter(issue => issue['code'] !== 'unrecognized_keys')
    .map(issue => ({ place: placeOf(pathOf(issue)), message: messageOf(issue) }));
  return [...unknown, ...others].slice(0, MAX_PROBLEMS);
}

type Issue = Readonly<Record<string, unknown>>;

const pathOf = (issue: Issue): string[] => (Array.isArray(issue['path']) ? issue['path'].map(String) : []);

const messageOf = ({ code, message }: Issue): string =>
  code === 'invalid_type' && String(message).endsWith('received undefined') ? 'required' : String(message);

function unknownKey({ input }: Pick<BoundOp, 'input'>, path: readonly string[], key: string): ArgumentProblem {
  const place = placeOf([...path, PLAIN_NAME.test(key) ? key : '…']);
  const meant = nearest(key, namesAt([rawSchema(input, 'input')], path));
  return { place, message: 'unknown key', ...(meant === undefined ? {} : { nearest: meant }) };
}

const placeOf = (path: readonly string[]): string => path.join('.') || 'arguments';

/** The names that an object at a place below a schema may have, whichever branch it is of. */
function namesAt(nodes: readonly JsonSchema[], [step, ...deeper]: readonly string[]): Set<string> {
  const open = nodes.flatMap(node => branchesOf(node) ?? [node]);
  if (step === undefined) return new Set(open.flatMap(node => Object.keys(propertiesOf(node))));
  const next = open
    .map(node => propertiesOf(node)[step] ?? (node['items'] as JsonSchema | undefined))
    .filter(node => node !== undefined);
  return next.length === 0 ? new Set() : namesAt(next, deeper);
}

const propertiesOf = (node: JsonSchema): Record<string, JsonSchema> =>
  (node['properties'] ?? {}) as Record<string, JsonSchema>;
