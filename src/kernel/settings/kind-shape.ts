import { z } from 'zod';
import { nearest } from '../nearest.ts';
import { bad, good, type Kind } from './kind.ts';

/** A nested value that only files can hold, checked by a strict schema. */
export function shape<S extends z.ZodType>(says: string, schema: S): Kind<z.output<S>> {
  return {
    says,
    text: () => bad('can only stand in a file'),
    data: value => {
      const parsed = schema.safeParse(value);
      if (parsed.success) return good(parsed.data);
      // A misspelt key makes the right one missing as well; the slip is what there is to say.
      const { issues } = parsed.error;
      const issue = issues.find(one => one.code === 'unrecognized_keys') ?? issues[0]!;
      if (issue.code !== 'unrecognized_keys') return { ok: false, must: wording(issue.message), at: issue.path };
      const key = issue.keys[0]!;
      const near = nearest(key, keysAt(schema, issue.path));
      const must = near === undefined ? 'is not a known key' : `is not a known key; did you mean ${near}?`;
      return { ok: false, must, code: 'config-unknown-key', at: [...issue.path, key] };
    },
  };
}

const wording = (message: string): string => `is not accepted: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;

/** The keys a schema knows at a place; of a union, those of every branch. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let here = unwrapped(schema);
  for (const step of path) {
    here = here.flatMap(one => {
      if (one instanceof z.ZodObject) return unwrapped(one.shape[step as string] as z.ZodType | undefined);
      if (one instanceof z.ZodArray) return unwrapped(one.element as z.ZodType);
      if (one instanceof z.ZodRecord) return unwrapped(one.valueType as z.ZodType);
      return [];
    });
  }
  return here.flatMap(one => (one instanceof z.ZodObject ? Object.keys(one.shape) : []));
}

function unwrapped(schema: z.ZodType | undefined): readonly z.ZodType[] {
  if (schema === undefined) return [];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(option => unwrapped(option as z.ZodType));
  const wrapped = WRAPPERS.find(wrapper => schema instanceof wrapper);
  return wrapped ? unwrapped((schema as z.ZodOptional).unwrap() as z.ZodType) : [schema];
}

const WRAPPERS = [z.ZodDefault, z.ZodPrefault, z.ZodOptional, z.ZodReadonly];
