import { Failure, FAILURES } from '../kernel/failure.ts';
import { isObject } from '../kernel/json.ts';
import { around, type Octets } from './octets.ts';

export type RpcId = string | number | null;

/** A JSON-RPC request whose envelope was checked. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The id to answer to: strings and numbers as sent, everything else null (E011). */
export function idOf(message: unknown): RpcId {
  const id = isObject(message) ? message['id'] : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** Why this is no JSON-RPC 2.0 message at all; looked at before anything else, the caller included (E001). */
export const versionProblem = (message: unknown): Failure | undefined =>
  isObject(message) && message['jsonrpc'] === '2.0'
    ? undefined
    : new Failure('invalid_request', 'invalid jsonrpc version: expected "2.0"');

/** A request without an id is answered to null (E011); an id that is null or a structure is refused (M13). */
export function checkedRequest(message: Readonly<Record<string, unknown>>): RpcRequest {
  const { id, method, params = {} } = message;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new Failure('invalid_request', 'id: expected a string or a number');
  if (typeof method !== 'string') throw new Failure('invalid_request', 'method: expected a string');
  if (params !== null && !isObject(params))
    throw new Failure('invalid_params', 'params: expected an object', { place: 'params' });
  return { id: id ?? null, method, params: params ?? {} };
}

const head = (id: RpcId): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;

/** `result` is JSON text. */
export const resultText = (id: RpcId, result: string): string => `${head(id)}"result":${result}}`;

/** The same around octets that are ready. */
export const resultAround = (id: RpcId, before: string, ready: Octets, after: string): Octets =>
  around(`${head(id)}"result":${before}`, ready, `${after}}`);

/** An unknown method carries no data (E006). */
export const unknownMethodText = (id: RpcId, method: string): string =>
  errorText(id, FAILURES.method_not_found.rpc, `unknown method: ${method.slice(0, 64)}`, undefined);

/** A refusal with the code, whether a repeat can help, and what else it says; a fault of ours says nothing more (E095). */
export function failureText(id: RpcId, failure: Failure): string {
  const { rpc, retryable } = FAILURES[failure.code];
  const data = failure.code === 'internal' ? undefined : { code: failure.code, retryable, ...failure.data };
  return errorText(id, rpc, failure.message, data);
}

const errorText = (id: RpcId, code: number, message: string, data: object | undefined): string =>
  `${head(id)}"error":${JSON.stringify({ code, message, data })}}`;
