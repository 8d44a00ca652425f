import { Failure } from '../../kernel/failure.ts';
import { readRuleRef, scopeOf } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import type { FeedbackItem, FeedbackStore } from './ports.ts';
import { FeedbackInput, Recorded } from './schema.ts';

export interface FeedbackDeps {
  readonly feedback: FeedbackStore;
}

/**
 * Says how good a search was. Of every scope named, the caller must have made that search there: a search of somebody else, of
 * another scope and one that never was answer alike (contract 6.5).
 */
export const feedback = defineRuleOp({
  name: 'feedback',
  surface: 'rules',
  effect: 'write',
  right: 'read',
  logs: 'feedback',
  summary: 'Say which rules of a search were relevant or irrelevant, and which ones were missing.',
  input: FeedbackInput,
  output: Recorded,
  // A search over several scopes was asked for as such; what is said of it may be about all of them.
  touches: ({ bundles, missing }) => ({
    scopes: [...new Set([...bundles.map(({ ref }) => ref), ...missing].map(scopeOfRef))],
    across: true,
  }),
  async run({ feedback: store }: FeedbackDeps, ctx, { search_id: searchId, bundles, missing }) {
    const scopes = [...new Set([...bundles.map(({ ref }) => ref), ...missing].map(scopeOfRef))];
    const shown = new Map<string, readonly string[]>();
    for (const scope of scopes) {
      const refs = await store.shown(scope, searchId, ctx.grant.id);
      if (!refs) throw new Failure('not-found', 'no such search');
      shown.set(scope, refs);
    }
    const items: FeedbackItem[] = [
      ...bundles.map(({ ref, verdict }) => ({ ref: withVersion(ref, shown.get(scopeOfRef(ref))!), verdict })),
      ...missing.map(ref => ({ ref: `rule/${readRuleRef(ref).id}`, verdict: 'missing' as const })),
    ];
    for (const scope of scopes) {
      const here = items.filter(({ ref }) => scopeOfRef(ref) === scope);
      const log = ctx.logRow(
        200,
        here.map(({ ref }) => ref),
      );
      await store.record(scope, searchId, here, log);
    }
    return { status: 200, output: { recorded: items.length }, log: [] };
  },
});

const scopeOfRef = (ref: string): string => scopeOf(readRuleRef(ref).id);

/** A verdict is about the version that was shown, whether the caller names it or not. */
const withVersion = (ref: string, shown: readonly string[]): string =>
  ref.includes('@') ? ref : (shown.find(one => one.startsWith(`${ref}@`)) ?? ref);
