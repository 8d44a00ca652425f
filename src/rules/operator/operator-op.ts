import type { z } from 'zod';
import { defineOp, type Op } from '../../kernel/op.ts';

type Told = 'aliases' | 'surface' | 'execution' | 'scope' | 'quota' | 'publishesOutput';

/** One thing that whoever runs the instance can do, over the socket in the data folder and nowhere else. */
export const defineOperatorOp = <D, I extends z.ZodObject, O extends z.ZodObject>(
  op: Omit<Op<D, I, O>, Told>,
): Op<D, I, O> =>
  defineOp({
    surface: 'operator',
    execution: 'deterministic',
    scope: 'admin',
    quota: 'none',
    publishesOutput: false,
    ...op,
  });
