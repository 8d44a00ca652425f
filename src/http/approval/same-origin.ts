/**
 * Whether a page of ours sent a request that changes something (contract 5.3): by Origin, or without one by what the browser
 * says about the sender. `home` is the origin of the public URL.
 */
export function isSameOrigin(headers: Headers, home: string): boolean {
  const origin = headers.get('origin');
  return origin === null ? headers.get('sec-fetch-site') === 'same-origin' : origin === home;
}
