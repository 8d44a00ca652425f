import type { ProvenanceEdge } from './graph.ts';

const RESTS_ON = ['motivated_by', 'addresses'];
const REPLACES = 'supersedes';
const RETIRES = [REPLACES, 'abandons'];

export const REPORT_RELATIONS = [...RESTS_ON, ...RETIRES];

/** RFC 3339, a fraction only where there is one. */
const wireTime = (at: string): string => at.replace('.000Z', 'Z');

const by =
  (...keys: readonly string[]) =>
  (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): number => {
    const key = keys.find(name => a[name] !== b[name]);
    return key === undefined ? 0 : a[key]! < b[key]! ? -1 : 1;
  };

/**
 * Decisions that rest on an expectation which a later page replaced: A rests on E, B supersedes E, both are dated and B is the
 * later one (E312-E314). `skill` narrows the deciding page; "" or null: all (E316).
 */
export function drift(edges: readonly ProvenanceEdge[], skill: string | null): Record<string, string>[] {
  const rows = new Map<string, Record<string, string>>();
  const replacing = edges.filter(edge => edge.relation === REPLACES);
  for (const { source: decision, target: expectation, relation } of edges) {
    if (relation === null || !RESTS_ON.includes(relation) || (skill && decision.skill !== skill)) continue;
    for (const { source: successor, target } of replacing) {
      if (target.pageId !== expectation.pageId || decision.at === null || successor.at === null) continue;
      if (successor.at <= decision.at) continue;
      const row = {
        decision_page_id: decision.pageId,
        decision_skill: decision.skill,
        expectation_page_id: expectation.pageId,
        superseding_page_id: successor.pageId,
        decided_at: wireTime(decision.at),
        superseded_at: wireTime(successor.at),
      };
      rows.set(JSON.stringify(row), row);
    }
  }
  return [...rows.values()].sort(by('decision_page_id', 'expectation_page_id', 'superseding_page_id'));
}

/** Pages that another page supersedes or abandons, each once a relation, by page id (E315). */
export function abandoned(edges: readonly ProvenanceEdge[], skill: string | null): Record<string, string>[] {
  const rows = new Map<string, Record<string, string>>();
  for (const { target, relation } of edges) {
    if (relation === null || !RETIRES.includes(relation) || (skill && target.skill !== skill)) continue;
    const row = { page_id: target.pageId, skill: target.skill, via: relation };
    rows.set(JSON.stringify(row), row);
  }
  return [...rows.values()].sort(by('page_id', 'via'));
}
