import { Failure } from '../../kernel/failure.ts';
import type { RuleVersion, Segment, SourceFacts } from '../model.ts';
import { windowOf } from '../proposals/quote/find.ts';
import type { RuleReader, SourceReader } from '../ports.ts';
import { readRuleRef, scopeOf, versionRef } from '../refs.ts';
import { defineRuleOp } from '../rule-op.ts';
import { attachmentRef, sourceOut } from '../sources/source-out.ts';
import { newestFirst, sourceEntry } from './entries.ts';
import { clock } from './head.ts';
import { Provenance, ProvenanceInput } from './schema.ts';

export interface ProvenanceDeps {
  readonly rules: Pick<RuleReader, 'find' | 'versions'>;
  readonly sources: Pick<SourceReader, 'facts' | 'text' | 'segments' | 'attachments' | 'thread'>;
}

/** What a rule rests on: its source with the text around the quote, the mails of the thread, every attachment (contract 6.5). */
export const provenance = defineRuleOp({
  name: 'provenance',
  surface: 'rules',
  effect: 'read',
  right: 'read',
  logs: 'provenance',
  summary:
    'Read what a rule rests on: its source, the text around its quote, the mails of the same thread and every attachment. Cite the date and the source.',
  input: ProvenanceInput,
  output: Provenance,
  touches: ({ ref }) => ({ scopes: [scopeOf(readRuleRef(ref).id)] }),
  async run({ rules, sources }: ProvenanceDeps, _ctx, { ref: asked }) {
    const { id, version: number } = readRuleRef(asked);
    const scope = scopeOf(id);
    const version = await visibleVersion(rules, scope, id, number);
    const facts = (await sources.facts(scope, version.sourceId))!;
    const ref = versionRef(id, version.version);
    const { mail, window } = await contentOf(sources, scope, version);
    const attachments = await sources.attachments(scope, version.sourceId);
    return {
      status: 200,
      log: [{ scope, refs: [ref] }],
      output: {
        ref,
        source: sourceOut(facts),
        quote: version.quote,
        timestamp_s: version.timestampS,
        excerpt: window ? window.map(spoken).join('\n') : mail,
        segments: window,
        thread: await threadOf(sources, scope, facts),
        attachments: attachments.map((attachment, at) => ({
          ref: attachmentRef(facts.id, at + 1),
          ...attachment,
        })),
      },
    };
  },
});

/** A rejected rule does not exist here, nor does any version of it. */
async function visibleVersion(
  rules: ProvenanceDeps['rules'],
  scope: string,
  id: string,
  number: number | undefined,
): Promise<RuleVersion> {
  const rule = await rules.find(scope, id);
  const seen = rule && rule.current.status !== 'rejected' ? rule.current : undefined;
  const version =
    seen === undefined || number === undefined || number === seen.version
      ? seen
      : (await rules.versions(scope, id)).find(one => one.version === number);
  if (!version) throw new Failure('not-found', 'no such rule');
  return version;
}

/** The whole text of a mail, or the part of a meeting in which the quote was said; neither for own words. */
async function contentOf(
  sources: ProvenanceDeps['sources'],
  scope: string,
  { sourceId, timestampS }: RuleVersion,
): Promise<{ readonly mail: string | null; readonly window: Segment[] | null }> {
  if (timestampS !== null) {
    const { from, until } = windowOf(timestampS);
    const found = await sources.segments(scope, sourceId, from, until);
    return { mail: null, window: found.map(({ start_s, speaker, text }) => ({ start_s, speaker, text })) };
  }
  const content = await sources.text(scope, sourceId);
  return { mail: content?.kind === 'mail' ? content.text : null, window: null };
}

const spoken = ({ start_s, speaker, text }: Segment): string =>
  `[${clock(start_s)}] ${speaker === null ? '' : `${speaker}: `}${text}`;

async function threadOf(sources: ProvenanceDeps['sources'], scope: string, { id, kind, thread }: SourceFacts) {
  if (kind !== 'mail') return [];
  const mails = await sources.thread(scope, thread ?? id);
  return mails
    .filter(mail => mail.id !== id)
    .map(mail => sourceEntry(mail, mail.start))
    .toSorted(newestFirst);
}
