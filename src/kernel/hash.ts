import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Lower-case hex SHA-256 of the UTF-8 bytes, without a prefix (E147). */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** Compares two secrets without telling by time where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return secretCheck(b)(a);
}

/** Compares texts with one secret, without telling by time where they differ. */
export function secretCheck(secret: string): (given: string) => boolean {
  const expected = hash('sha256', secret, 'buffer');
  return given => timingSafeEqual(expected, hash('sha256', given, 'buffer'));
}

/** HMAC-SHA-256 of the UTF-8 bytes, as URL-safe base64 without padding. */
export function hmac(secret: string, data: string): string {
  return createHmac('sha256', secret).update(data).digest('base64url');
}
