import { sha256 } from '../../kernel/hash.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { RuleVersion, SourceFacts } from '../model.ts';
import { versionRef } from '../refs.ts';

/**
 * 64 hex digits that stand for everything a person saw of a version before deciding (rules-gaps 8). `adoption` is null as
 * long as only persons confirm.
 */
export function shownSha256(version: RuleVersion, source: SourceFacts): string {
  return sha256(
    canonicalJson({
      ref: versionRef(version.ruleId, version.version),
      kind: version.kind,
      statement: version.statement,
      quote: version.quote,
      timestamp_s: version.timestampS,
      source: {
        id: source.id,
        title: source.title,
        sender: source.sender,
        occurred_at: source.occurredAt,
        link: source.link,
      },
      said_at: version.saidAt,
      speaker: version.speaker,
      relations: version.relations.map(({ kind, name, ref }) => ({ kind, name, ref })),
      keywords: [...version.keywords],
      valid_from: version.validFrom,
      supersedes: version.supersedes,
      adoption: null,
    }),
  );
}
