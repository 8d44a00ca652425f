/**
 * The closed table of everything a caller can be refused with. Transports read a row; nothing else maps errors.
 * `http` is the status on plain HTTP routes, `rpc` the JSON-RPC number (pages contract, "Error data"; facts E086).
 */
export const FAILURES = {
  invalid_request: { http: 400, rpc: -32600, retryable: false, level: 'info' },
  method_not_found: { http: 404, rpc: -32601, retryable: false, level: 'info' },
  invalid_params: { http: 400, rpc: -32602, retryable: false, level: 'info' },
  not_found: { http: 404, rpc: -32602, retryable: false, level: 'info' },
  internal: { http: 500, rpc: -32603, retryable: false, level: 'error' },
  quota_exhausted: { http: 429, rpc: -32000, retryable: true, level: 'info' },
  overloaded: { http: 503, rpc: -32000, retryable: true, level: 'warn' },
  admin_required: { http: 403, rpc: -32001, retryable: false, level: 'warn' },
  failed_precondition: { http: 409, rpc: -32002, retryable: false, level: 'info' },
  forbidden: { http: 403, rpc: -32003, retryable: false, level: 'warn' },
  tenant_suspended: { http: 403, rpc: -32003, retryable: false, level: 'warn' },
  unauthorized: { http: 401, rpc: -32003, retryable: false, level: 'warn' },
  payload_too_large: { http: 413, rpc: -32600, retryable: false, level: 'info' },
  unsupported_media_type: { http: 415, rpc: -32600, retryable: false, level: 'info' },
  origin_not_allowed: { http: 403, rpc: -32600, retryable: false, level: 'warn' },
  host_not_allowed: { http: 421, rpc: -32600, retryable: false, level: 'warn' },
  header_mismatch: { http: 400, rpc: -32020, retryable: false, level: 'info' },
  unsupported_protocol_version: { http: 400, rpc: -32022, retryable: false, level: 'info' },
  // The rules surface: codes as its ErrorBody carries them (rules-gaps 3). `unauthorized` and `internal` stand above.
  'validation-failed': { http: 400, rpc: -32602, retryable: false, level: 'info' },
  'multiple-scopes-without-flag': { http: 400, rpc: -32602, retryable: false, level: 'info' },
  'source-immutable': { http: 400, rpc: -32602, retryable: false, level: 'info' },
  'reason-missing': { http: 400, rpc: -32602, retryable: false, level: 'info' },
  'bad-json': { http: 400, rpc: -32602, retryable: false, level: 'info' },
  'channel-not-allowed': { http: 403, rpc: -32003, retryable: false, level: 'warn' },
  'scope-not-allowed': { http: 403, rpc: -32003, retryable: false, level: 'warn' },
  'csrf-failed': { http: 403, rpc: -32003, retryable: false, level: 'warn' },
  'not-found': { http: 404, rpc: -32602, retryable: false, level: 'info' },
  'already-decided': { http: 409, rpc: -32002, retryable: false, level: 'info' },
  'version-outdated': { http: 409, rpc: -32002, retryable: false, level: 'info' },
  'source-conflict': { http: 409, rpc: -32002, retryable: false, level: 'info' },
  'grant-exists': { http: 409, rpc: -32002, retryable: false, level: 'info' },
  'payload-too-large': { http: 413, rpc: -32600, retryable: false, level: 'info' },
  'unsupported-media-type': { http: 415, rpc: -32600, retryable: false, level: 'info' },
  'source-unknown': { http: 422, rpc: -32602, retryable: false, level: 'info' },
  'quote-not-found': { http: 422, rpc: -32602, retryable: false, level: 'info' },
  'reference-unknown': { http: 422, rpc: -32602, retryable: false, level: 'info' },
  'secret-detected': { http: 422, rpc: -32602, retryable: false, level: 'warn' },
  'rate-limited': { http: 429, rpc: -32000, retryable: true, level: 'info' },
  'scope-locked': { http: 503, rpc: -32603, retryable: false, level: 'error' },
} as const satisfies Record<string, FailureRow>;

interface FailureRow {
  readonly http: number;
  readonly rpc: number;
  readonly retryable: boolean;
  readonly level: 'info' | 'warn' | 'error';
}

export type FailureCode = keyof typeof FAILURES;

/** A refusal with a code of the table, a message for people and additive machine-readable data. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: FailureCode, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.data = data;
  }
}

/** Anything thrown, as a Failure: a fault of ours becomes `internal` and keeps its cause for the log only. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const failure = new Failure('internal', 'internal error');
  failure.cause = thrown;
  return failure;
}
