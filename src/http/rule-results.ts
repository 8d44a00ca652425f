import type { Failure } from '../kernel/failure.ts';
import type { BoundOp } from '../kernel/op.ts';
import { annotateForeign, renderResultForModel } from '../security/index.ts';
import { problemsOf } from './rule-arguments.ts';
import { errorBody } from './rule-errors.ts';

/** What a tool of the rules surface answers: text for the model, and the same as JSON text. */
interface RuleResult {
  readonly text: string;
  readonly structured: string;
}

/** A result with foreign text in frames (contract of the rules 9). */
export function framedResult(payload: Record<string, unknown>): RuleResult {
  const annotated = annotateForeign(payload);
  return { text: renderResultForModel(annotated), structured: JSON.stringify(annotated) };
}

/** A refusal as a tool says it: the code and what goes with it, all in our own words. */
export function refusedResult(op: BoundOp, failure: Failure, requestId: string): RuleResult {
  if (failure.code !== 'validation-failed') return alike(errorBody(failure, requestId));
  const problems = problemsOf(op, failure);
  const [first = { place: 'arguments', message: failure.message }] = problems;
  const told = problems.length > 0 ? problems : [first];
  const lines = told.map(
    ({ place, message, nearest }) => `${place}: ${message}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  );
  const message = `${op.name}: ${lines.join('; ')}`;
  const { place, nearest } = first;
  const body = { error: failure.code, message, place, ...(nearest === undefined ? {} : { nearest }), issues: told };
  return { text: `Input validation error: ${message}`, structured: JSON.stringify(body) };
}

function alike(body: object): RuleResult {
  const json = JSON.stringify(body);
  return { text: json, structured: json };
}
