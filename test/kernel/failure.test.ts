import { describe, expect, test } from 'vitest';
import { asFailure, Failure, FAILURES } from '../../src/kernel/failure.ts';

describe('the failure table', () => {
  test('[KE1] is pinned: HTTP status, JSON-RPC number, retryable, log level', () => {
    const rows = Object.entries(FAILURES).map(([code, { http, rpc, retryable, level }]) => [
      code,
      http,
      rpc,
      retryable,
      level,
    ]);
    expect(rows).toEqual([
      ['invalid_request', 400, -32600, false, 'info'],
      ['method_not_found', 404, -32601, false, 'info'],
      ['invalid_params', 400, -32602, false, 'info'],
      ['not_found', 404, -32602, false, 'info'],
      ['internal', 500, -32603, false, 'error'],
      ['quota_exhausted', 429, -32000, true, 'info'],
      ['overloaded', 503, -32000, true, 'warn'],
      ['admin_required', 403, -32001, false, 'warn'],
      ['failed_precondition', 409, -32002, false, 'info'],
      ['forbidden', 403, -32003, false, 'warn'],
      ['tenant_suspended', 403, -32003, false, 'warn'],
      ['unauthorized', 401, -32003, false, 'warn'],
      ['payload_too_large', 413, -32600, false, 'info'],
      ['unsupported_media_type', 415, -32600, false, 'info'],
      ['origin_not_allowed', 403, -32600, false, 'warn'],
      ['host_not_allowed', 421, -32600, false, 'warn'],
      ['header_mismatch', 400, -32020, false, 'info'],
      ['unsupported_protocol_version', 400, -32022, false, 'info'],
      ['validation-failed', 400, -32602, false, 'info'],
      ['multiple-scopes-without-flag', 400, -32602, false, 'info'],
      ['source-immutable', 400, -32602, false, 'info'],
      ['reason-missing', 400, -32602, false, 'info'],
      ['bad-json', 400, -32602, false, 'info'],
      ['channel-not-allowed', 403, -32003, false, 'warn'],
      ['scope-not-allowed', 403, -32003, false, 'warn'],
      ['csrf-failed', 403, -32003, false, 'warn'],
      ['not-found', 404, -32602, false, 'info'],
      ['already-decided', 409, -32002, false, 'info'],
      ['version-outdated', 409, -32002, false, 'info'],
      ['source-conflict', 409, -32002, false, 'info'],
      ['grant-exists', 409, -32002, false, 'info'],
      ['payload-too-large', 413, -32600, false, 'info'],
      ['unsupported-media-type', 415, -32600, false, 'info'],
      ['source-unknown', 422, -32602, false, 'info'],
      ['quote-not-found', 422, -32602, false, 'info'],
      ['reference-unknown', 422, -32602, false, 'info'],
      ['secret-detected', 422, -32602, false, 'warn'],
      ['rate-limited', 429, -32000, true, 'info'],
      ['scope-locked', 503, -32603, false, 'error'],
    ]);
  });

  test('[KE2] a failure stays what it is', () => {
    const failure = new Failure('not_found', 'no page a', { page_id: 'a' });
    expect(asFailure(failure)).toBe(failure);
    expect(failure).toMatchObject({ code: 'not_found', message: 'no page a', data: { page_id: 'a' } });
  });

  test.each([new Error('disk is full at /srv'), 'text', undefined, null, { code: 'not_found' }])(
    '[KE2] %s becomes internal and keeps its text to itself',
    thrown => {
      const failure = asFailure(thrown);
      expect([failure.code, failure.message, failure.data]).toEqual(['internal', 'internal error', {}]);
      expect(failure.cause).toBe(thrown);
    },
  );
});
