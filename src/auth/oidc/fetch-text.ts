/** A JWKS has a few kilobytes; a server that sends more is broken or hostile. */
const MAX_BYTES = 256 * 1024;

/**
 * GETs a small text and reads no further than 256 KiB. Throws when the answer is not a 200 of its own address, is larger, or is
 * not complete within `timeoutMs`.
 */
export async function fetchText(url: string, timeoutMs: number, fetch: typeof globalThis.fetch): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`status ${response.status}`);
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the rest of the body.
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
