import type { PageLink } from './model.ts';
import type { LinkRow } from './ports.ts';

/**
 * One edge per source anchor, field, target, target anchor and skill, in order of appearance; links without an id are no edges
 * (deviations, E149; E117).
 */
export function edgesOf(links: readonly PageLink[]): Omit<LinkRow, 'srcPage'>[] {
  const edges = new Map<string, Omit<LinkRow, 'srcPage'>>();
  for (const { link, field, srcAnchor } of links) {
    if (link.id === null) continue;
    const linkSkill = link.skill ?? '';
    const key = JSON.stringify([srcAnchor, field, link.id, link.anchor, linkSkill]);
    if (edges.has(key)) continue;
    edges.set(key, {
      srcAnchor,
      srcField: field,
      linkSkill,
      target: link.id,
      dstAnchor: link.anchor,
      linkVersion: link.version,
    });
  }
  return [...edges.values()];
}
