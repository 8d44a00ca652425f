import { z } from 'zod';
import { ModelRefusal } from '../model-refusal.ts';

const Listed = z.object({
  sha: z.string().regex(/^[\w.-]+$/),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      size: z.int().nonnegative().optional(),
      blobId: z.string().optional(),
      lfs: z.object({ sha256: z.string(), size: z.int().nonnegative() }).nullish(),
    }),
  ),
});

/** A file of a model on a hub, and what it has to be. */
export interface HubFile {
  readonly path: string;
  readonly size: number | null;
  /** SHA-256 of the bytes, or SHA-1 of them as git names a blob; null: the hub does not say. */
  readonly sum: { readonly kind: 'sha256' | 'git'; readonly hex: string } | null;
}

export interface HubModel {
  readonly name: string;
  /** The commit that all files are taken from. */
  readonly commit: string;
  readonly files: readonly HubFile[];
}

export interface Hub {
  /** Without trailing slash. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
}

const LIST_TIMEOUT_MS = 30_000;

/** What a hub has of a model, by the interface of Hugging Face. Throws ModelRefusal `model-missing` or `model-download-failed`. */
export async function hubModel({ url, fetch }: Hub, name: string): Promise<HubModel> {
  let response: Response;
  try {
    response = await fetch(`${url}/api/models/${name}/revision/main?blobs=true`, {
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    });
  } catch (error) {
    throw new ModelRefusal('model-download-failed', `${new URL(url).host} cannot be reached: ${reasonOf(error)}`);
  }
  if (response.status === 404 || response.status === 401) {
    throw new ModelRefusal('model-missing', `${new URL(url).host} has no model ${name} that anybody may read`);
  }
  if (!response.ok) throw new ModelRefusal('model-download-failed', `${new URL(url).host} answers ${response.status}`);
  const listed = Listed.safeParse(await response.json().catch(() => null));
  if (!listed.success)
    throw new ModelRefusal('model-download-failed', `${new URL(url).host} does not answer as a hub does`);
  return {
    name,
    commit: listed.data.sha,
    files: listed.data.siblings.map(({ rfilename, size, blobId, lfs }) => ({
      path: rfilename,
      size: lfs?.size ?? size ?? null,
      sum: lfs ? { kind: 'sha256', hex: lfs.sha256 } : blobId === undefined ? null : { kind: 'git', hex: blobId },
    })),
  };
}

export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};
