/** Keys, metadata and tokens have a few kilobytes; a server that sends more is broken or hostile. */
const MAX_BYTES = 256 * 1024;

/**
 * Asks for a small text, by GET unless a form is to be posted, and reads no further than 256 KiB. Throws when the answer is not a
 * 200 of its own address, is larger, or is not complete within `timeoutMs`.
 */
export async function fetchText(
  url: string,
  timeoutMs: number,
  fetch: typeof globalThis.fetch,
  post?: { readonly form: URLSearchParams; readonly headers: Readonly<Record<string, string>> },
): Promise<string> {
  const response = await fetch(url, {
    ...(post && { method: 'POST', body: post.form }),
    headers: { accept: 'application/jwk-set+json, application/json', ...post?.headers },
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
