import { Failure } from '../../src/kernel/failure.ts';

/** The Failure that a call ends in. Anything else it does is an error of the test. */
export async function refusal(call: Promise<unknown>): Promise<Failure> {
  let answer: unknown;
  try {
    answer = await call;
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  }
  throw new Error(`not refused, but answered: ${JSON.stringify(answer)}`);
}
