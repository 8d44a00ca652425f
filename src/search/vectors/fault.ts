/** An embedder cannot work at the moment: it is gone, refuses, or has used up what it may spend. No text is at fault. */
export class EmbedderFault extends Error {
  /** When it makes sense to ask again; null: nobody knows. */
  readonly retryAfterMs: number | null;

  constructor(message: string, options: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
