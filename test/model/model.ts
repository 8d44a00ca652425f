/** The pages surface in a few lines: what is stored, who may do what, and what every read must answer. */

export const SKILLS = ['open', 'own', 'team'] as const;
export type SkillName = (typeof SKILLS)[number];

export interface Person {
  readonly name: string;
  readonly admin?: true;
  readonly team?: true;
}

/** Groups by verb: a verb that is not named is left to the skill. */
export interface Rule {
  readonly read?: readonly Group[];
  readonly update?: readonly Group[];
}
type Group = 'public' | 'team';

/** A page as the model writes it: header keys, a paragraph `^p1` and a paragraph `^p2` with a link. */
export interface Draft {
  readonly skill: SkillName;
  readonly slug: string;
  readonly who: string;
  /** The page's own rule. A create is decided by the skill alone. */
  readonly acl: Rule | null;
  readonly scenario: string | null;
  /** Targets as `skill::slug` or a bare slug. */
  readonly ref: string | null;
  readonly link: string | null;
  readonly text: string;
  readonly tail: string;
}

export interface Version {
  readonly draft: Draft;
  readonly archived: boolean;
  readonly at: string;
  readonly author: string | null;
}

interface View {
  readonly scenario: string | null;
}

export interface Edge {
  readonly src: string;
  readonly dst: string;
  readonly exists: boolean;
  readonly field: string | null;
}

/** Page id → versions, oldest first. A page that moved away or was purged has none. */
export class Model {
  readonly pages = new Map<string, Version[]>();

  head(id: string): Version | undefined {
    return this.pages.get(id)?.at(-1);
  }

  live(id: string): Draft | undefined {
    const head = this.head(id);
    return head && !head.archived ? head.draft : undefined;
  }

  versionNo(id: string): number {
    return this.pages.get(id)?.length ?? 0;
  }

  add(id: string, version: Version): void {
    this.pages.set(id, [...(this.pages.get(id) ?? []), version]);
  }

  /** The page and its past go to `to`, on top of what lies archived there. */
  move(from: string, to: string, at: string): void {
    const moved = this.pages.get(from)!;
    const arrival = { ...moved.at(-1)!, at, author: null };
    this.pages.set(to, [...(this.pages.get(to) ?? []), ...moved, arrival]);
    this.pages.delete(from);
  }

  private liveIds(): string[] {
    return [...this.pages.keys()].filter(id => this.live(id)).sort();
  }

  mayRead(who: Person, draft: Draft): boolean {
    return who.admin === true || allowed(who, draft, 'read');
  }

  readable(who: Person, id: string): boolean {
    const draft = this.live(id);
    return draft !== undefined && this.mayRead(who, draft);
  }

  /** Rights on what is stored at `id` and on every page that the draft would stand in front of or beside. */
  mayWrite(who: Person, id: string, draft: Draft): boolean {
    if (who.admin) return true;
    const stored = this.head(id)?.draft;
    const held = [...(stored ? [stored] : []), ...this.twins(id, draft)];
    if (!held.every(page => allowed(who, page, 'update'))) return false;
    return stored?.skill === draft.skill || allowed(who, draft, 'create');
  }

  /** Rights to take the page away; a move also asks about those that it stands in front of. */
  mayLeave(who: Person, id: string, moving: boolean): boolean {
    const draft = this.live(id)!;
    return (
      who.admin === true ||
      [draft, ...(moving ? this.twins(id, draft) : [])].every(page => allowed(who, page, 'update'))
    );
  }

  private twins(id: string, { skill, slug, scenario }: Draft): Draft[] {
    return this.candidates({ skill, slug }, { scenario })
      .filter(other => other !== id)
      .map(other => this.live(other)!);
  }

  /** Pages that answer to a link, best first. */
  private candidates(link: { skill: string | null; slug: string }, { scenario }: View): string[] {
    const found = this.liveIds().filter(id => {
      const page = this.live(id)!;
      const seen = page.scenario === null || page.scenario === scenario;
      return seen && page.slug === link.slug && (link.skill === null || page.skill === link.skill);
    });
    const overlay = (id: string): number => (this.live(id)!.scenario === null ? 1 : 0);
    return found.toSorted((a, b) => overlay(a) - overlay(b));
  }

  /** An overlay decides for its slug; what is hidden is as absent as what does not exist. */
  resolve(who: Person, target: string, view: View): string | undefined {
    const ids = this.candidates(linkOf(target), view);
    const best = ids[0] === undefined ? undefined : this.live(ids[0]);
    if (best && best.scenario !== null && !this.mayRead(who, best)) return undefined;
    return ids.find(id => this.readable(who, id));
  }

  /** The page that `expand` shows: itself, or the overlay that wins over it. */
  shown(who: Person, id: string, view: View): string | undefined {
    const page = this.live(id);
    if (!page || (page.scenario !== null && page.scenario !== view.scenario)) return undefined;
    const best = page.scenario === null && view.scenario !== null ? this.candidates(page, view)[0]! : id;
    const winner = this.live(best)!.scenario === null ? id : best;
    return this.readable(who, winner) ? winner : undefined;
  }

  instances(who: Person, skill: SkillName, view: View): string[] {
    const seen = this.liveIds().filter(id => {
      const page = this.live(id)!;
      return page.skill === skill && (page.scenario === null || page.scenario === view.scenario);
    });
    // In an overlay one page stands for a slug: the one that a link would mean.
    const won = seen.filter(
      id => view.scenario === null || this.resolve(who, `${skill}::${this.live(id)!.slug}`, view) === id,
    );
    return won.filter(id => this.readable(who, id));
  }

  /** Links of the page as it is shown: in an overlay those of the twin that wins over it. */
  edges(who: Person, id: string, view: View): Edge[] {
    const shown = this.shown(who, id, view);
    if (shown === undefined) return [];
    const page = this.live(shown)!;
    return [...this.outgoing(who, shown, page, view), ...this.incoming(who, shown, page, view)];
  }

  /**
   * The page as it was: its newest version by then, also of a page that is archived now, for those whom its header lets in now and
   * then; without one as it is. `who` null sees everything.
   */
  seenAt(who: Person | null, id: string, at: string, scenario: string | null = null): Draft | undefined {
    const head = this.head(id);
    if (!head || (who && !this.mayRead(who, head.draft))) return undefined;
    const version = this.pages.get(id)!.findLast(one => one.at <= at) ?? head;
    if (version.archived) return undefined;
    const then = version.draft;
    const overlay = then.scenario === null || then.scenario === scenario;
    return overlay && (!who || this.mayRead(who, then)) ? then : undefined;
  }

  /** The page that a link meant: of those that answered to it then the overlay's, then what had a version by then. */
  resolveAt(who: Person | null, target: string, at: string, scenario: string | null = null): string | undefined {
    const { skill, slug } = linkOf(target);
    const named = [...this.pages.keys()].sort().flatMap(id => {
      const then = this.seenAt(null, id, at, scenario);
      return then?.slug === slug && (skill === null || then.skill === skill)
        ? [{ id, over: then.scenario !== null, born: this.pages.get(id)!.some(one => one.at <= at) }]
        : [];
    });
    for (const { id, over } of named.toSorted(
      (a, b) => Number(b.over) - Number(a.over) || Number(b.born) - Number(a.born),
    )) {
      if (this.seenAt(who, id, at, scenario)) return id;
      if (over) return undefined;
    }
    return undefined;
  }

  /** In an overlay one page stands for a slug: the one that a link meant. */
  instancesAt(who: Person, skill: SkillName, at: string, scenario: string | null = null): string[] {
    return [...this.pages.keys()].sort().filter(id => {
      const then = this.seenAt(who, id, at, scenario);
      if (then?.skill !== skill) return false;
      return scenario === null || this.resolveAt(who, `${skill}::${then.slug}`, at, scenario) === id;
    });
  }

  edgesAt(who: Person, id: string, at: string): Edge[] {
    const seen = this.seenAt(who, id, at);
    if (!seen) return [];
    const out = linksOf(seen).flatMap(({ field, target }): Edge[] => {
      const dst = this.resolveAt(who, target, at);
      if (dst !== undefined) return [{ src: id, dst, exists: true, field }];
      const hidden = this.resolveAt(null, target, at) !== undefined;
      return hidden ? [] : [{ src: id, dst: linkOf(target).slug, exists: false, field }];
    });
    const answers = [`${seen.skill}::${seen.slug}`, seen.slug].filter(name => this.resolveAt(who, name, at) === id);
    const names = new Set(answers);
    const meant = ({ target }: { target: string }): boolean => names.has(target);
    const came = [...this.pages.keys()].flatMap(src => {
      const then = this.seenAt(who, src, at);
      return then
        ? linksOf(then)
            .filter(meant)
            .map(({ field }) => ({ src, dst: id, exists: true, field }))
        : [];
    });
    return [...out, ...came];
  }

  private outgoing(who: Person, id: string, page: Draft, view: View): Edge[] {
    return linksOf(page).flatMap(({ field, target }): Edge[] => {
      const dst = this.resolve(who, target, view);
      if (dst !== undefined) return [{ src: id, dst, exists: true, field }];
      const hidden = this.candidates(linkOf(target), view).length > 0;
      return hidden ? [] : [{ src: id, dst: linkOf(target).slug, exists: false, field }];
    });
  }

  private incoming(who: Person, id: string, page: Draft, view: View): Edge[] {
    const answers = [`${page.skill}::${page.slug}`, page.slug].filter(name => this.resolve(who, name, view) === id);
    const names = new Set(answers);
    return this.liveIds().flatMap(src => {
      const seen = this.shown(who, src, view) === src;
      const links = seen ? linksOf(this.live(src)!).filter(({ target }) => names.has(target)) : [];
      return links.map(({ field }) => ({ src, dst: id, exists: true, field }));
    });
  }
}

/** What the page's own rule says, else that of its skill: everyone, the owner, or the team. */
function allowed(who: Person, { skill, who: owner, acl }: Draft, verb: 'read' | 'update' | 'create'): boolean {
  const groups = verb === 'create' ? undefined : acl?.[verb];
  if (groups) return groups.some(group => group === 'public' || who.team === true);
  if (skill === 'open') return true;
  return skill === 'own' ? owner === who.name : who.team === true;
}

function linkOf(target: string): { skill: string | null; slug: string } {
  const [first, second] = target.split('::');
  return second === undefined ? { skill: null, slug: first! } : { skill: first!, slug: second };
}

const linksOf = ({ ref, link }: Draft) => [
  ...(ref === null ? [] : [{ field: 'frontmatter.ref', target: ref }]),
  ...(link === null ? [] : [{ field: null, target: link }]),
];
