import { createLocalJWKSet, errors, type CryptoKey, type JWSHeaderParameters } from 'jose';
import type { Clock } from '../../kernel/clock.ts';
import type { Failure } from '../../kernel/failure.ts';
import type { Log } from '../../kernel/log.ts';
import { rejected, Unchecked } from '../bearer.ts';
import { fetchText } from './fetch-text.ts';

/** The public keys of one issuer, fetched when needed. */
export interface SigningKeys {
  /** Grows when the published keys change, so that what older keys vouched for can be checked again. */
  generation(): number;
  /** Starts a refetch that nobody waits for once the keys grow old. Never throws. */
  freshen(): void;
  /** The key that a token's header names. `unauthorized` when there is none; `unavailable` when the keys cannot be had. */
  keyFor(header: JWSHeaderParameters): Promise<FoundKey>;
}

export interface FoundKey {
  readonly key: CryptoKey;
  /** Of the published keys that it was found among. */
  readonly generation: number;
}

export interface SigningKeysOptions {
  readonly uri: string;
  /** How long fetched keys are trusted for tokens not seen before (N023). */
  readonly lifeMs: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly log?: Log;
  /** No refetch over an unknown key so soon after any fetch; default 0. */
  readonly restMs?: number;
  /** What a caller is told when the keys cannot be had; default `unauthorized`. */
  readonly unavailable?: () => Failure;
}

/**
 * A refetch that did not bring a key is not repeated for that key this long, and none is made for any other once so many
 * were in vain: strangers must not make us hammer the issuer, nor a single one hide a rotation (E042).
 */
const FRUITLESS_PAUSE_MS = 10_000;
const MOST_FRUITLESS = 4;
const FAILED_PAUSE_MS = 1_000;
/** Part of their life after which keys are refetched in the background, so that a short outage of the issuer goes unseen. */
const OLD = 0.8;

const NO_KEYS = 'the signing keys of its issuer are not available';
const UNKNOWN_KEY = 'its key is unknown';

interface KeySet {
  readonly text: string;
  readonly generation: number;
  readonly find: ReturnType<typeof createLocalJWKSet>;
}

export function signingKeys(options: SigningKeysOptions): SigningKeys {
  const { uri, lifeMs, clock, restMs = 0 } = options;
  let current: KeySet | undefined;
  let fetchedAt = 0;
  let failedAt = -Infinity;
  /** Keys that a refetch did not bring, and when. */
  const fruitless = new Map<string, number>();
  let loading: Promise<KeySet> | undefined;

  const now = (): number => clock().getTime();
  const unavailable = (): Failure => {
    const failure = options.unavailable?.() ?? rejected(NO_KEYS);
    failure.cause = new Unchecked(uri);
    return failure;
  };
  /** False as well when the clock went back, so that no step of it can stretch anything. */
  const within = (at: number, forMs: number): boolean => now() >= at && now() < at + forMs;

  async function load(): Promise<KeySet> {
    const startedAt = now();
    try {
      const text = await fetchText(uri, options.timeoutMs, options.fetch);
      if (current?.text !== text) {
        const generation = (current?.generation ?? 0) + 1;
        current = { text, generation, find: createLocalJWKSet(JSON.parse(text)) };
      }
      fetchedAt = startedAt;
      return current;
    } catch (cause) {
      failedAt = now();
      options.log?.warn({ uri, reason: String(cause) }, 'signing keys could not be fetched');
      throw unavailable();
    }
  }

  async function loadOnce(): Promise<KeySet> {
    if (!loading && within(failedAt, FAILED_PAUSE_MS)) throw unavailable();
    loading ??= load().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  function freshen(): void {
    if (loading || within(fetchedAt, lifeMs * OLD)) return;
    loadOnce().catch(() => {}); // load has logged it, and the keys at hand stay in use
  }

  function pauses(kid = ''): boolean {
    for (const [each, at] of fruitless) if (!within(at, FRUITLESS_PAUSE_MS)) fruitless.delete(each);
    return fruitless.has(kid) || fruitless.size >= MOST_FRUITLESS;
  }

  /** The key in a set, undefined when the set has none by that name. */
  async function keyIn(set: KeySet, header: JWSHeaderParameters): Promise<FoundKey | undefined> {
    try {
      return { key: await set.find(header), generation: set.generation };
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return undefined;
      throw error;
    }
  }

  return {
    generation: () => current?.generation ?? 0,
    freshen,
    async keyFor(header) {
      if (current && within(fetchedAt, lifeMs)) {
        freshen();
        const found = await keyIn(current, header);
        if (found) return found;
        if (within(fetchedAt, restMs) || pauses(header.kid)) throw rejected(UNKNOWN_KEY);
      }
      const found = await keyIn(await loadOnce(), header);
      if (found) return found;
      fruitless.set(header.kid ?? '', now());
      throw rejected(UNKNOWN_KEY);
    },
  };
}
