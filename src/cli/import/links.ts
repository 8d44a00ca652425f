import type { Draft } from './drafts.ts';
import type { LinkCount, LooseLink, Unmapped } from './model.ts';

/** The ids of all bare links of the drafts. */
export function linkedNames(drafts: readonly Draft[]): ReadonlySet<string> {
  const bare = drafts.flatMap(({ parsed }) => parsed.links.filter(({ link }) => link.skill === null));
  return new Set(bare.map(({ link }) => link.id ?? ''));
}

interface Targets {
  /** Ids of instances, by skill. */
  readonly instances: ReadonlyMap<string, ReadonlySet<string>>;
  readonly skills: ReadonlySet<string>;
  readonly unmapped: readonly Unmapped[];
}

/** Follows every link of the drafts to the pages of this import. Links that name no page, `[[skill::]]`, lead nowhere. */
export function countLinks(drafts: readonly Draft[], { instances, skills, unmapped }: Targets): LinkCount {
  const anywhere = new Set([...skills, ...[...instances.values()].flatMap(ids => [...ids])]);
  const files = new Set(unmapped.flatMap(({ file }) => [file, file.slice(file.lastIndexOf('/') + 1)]));
  const unresolved: LooseLink[] = [];
  const count = { found: 0, resolved: 0, attachments: 0 };
  for (const { file, parsed } of drafts) {
    for (const { link, text, line } of parsed.links) {
      const { skill, id } = link;
      const ids = skill === null ? anywhere : skill === 'skill' ? skills : instances.get(skill);
      count.found++;
      if (id !== null && ids?.has(id)) count.resolved++;
      else if (skill === null && id !== null && files.has(id)) count.attachments++;
      else unresolved.push({ file: file.path, line, link: text });
    }
  }
  return { ...count, unresolved };
}
