import type { LaneFilter } from '../../../search/ports.ts';

/** What of a page decides whether a lane may look at it, as index.sqlite has it. */
export interface PageFactsRow {
  readonly access_class: number;
  readonly page_type: string;
  readonly skill: string;
  /** RFC 3339 UTC. */
  readonly at: string | null;
  readonly scenario: string | null;
}

/** The facts of all pages in memory, by page number. */
export interface PagesInMemory {
  set(page: number, facts: PageFactsRow): void;
  remove(page: number): void;
  /**
   * 1 for each page that may pass the filter, 0 for those that cannot: ownership and clauses are for SQL to decide, so this is
   * only where a search looks, never an answer. Valid until the next change.
   */
  mask(filter: Omit<LaneFilter, 'pageId'>): Uint8Array;
  /** Its access class. */
  classOf(page: number): number;
}

const SKILL_PAGE = 1;
const INSTANCE = 2;

export function pagesInMemory(): PagesInMemory {
  const names = new Map<string, number>();
  let capacity = 1024;
  let last = 0;
  /** 0 where there is no page. */
  let types = new Uint8Array(capacity);
  let classes = new Uint32Array(capacity);
  let skills = new Uint32Array(capacity);
  /** 0 for base pages. */
  let scenarios = new Uint32Array(capacity);
  /** Milliseconds; -Infinity when undated, so that every cut lets it in (S27). */
  let times = new Float64Array(capacity);
  let mask = new Uint8Array(capacity);

  function numberOf(name: string): number {
    const known = names.get(name) ?? names.size + 1;
    names.set(name, known);
    return known;
  }

  function grow(page: number): void {
    capacity = Math.ceil(page * 1.5) + 1;
    types = copied(types, new Uint8Array(capacity));
    classes = copied(classes, new Uint32Array(capacity));
    skills = copied(skills, new Uint32Array(capacity));
    scenarios = copied(scenarios, new Uint32Array(capacity));
    times = copied(times, new Float64Array(capacity));
    mask = new Uint8Array(capacity);
  }

  return {
    set(page, { access_class, page_type, skill, at, scenario }) {
      if (page >= capacity) grow(page);
      last = Math.max(last, page);
      types[page] = page_type === 'skill' ? SKILL_PAGE : INSTANCE;
      classes[page] = access_class;
      skills[page] = numberOf(skill);
      scenarios[page] = scenario === null ? 0 : numberOf(scenario);
      times[page] = at === null ? Number.NEGATIVE_INFINITY : Date.parse(at);
    },
    remove(page) {
      if (page < capacity) types[page] = 0;
    },
    mask({ scope, pageType, skill, asOf, scenario }) {
      const type = pageType === null ? 0 : pageType === 'skill' ? SKILL_PAGE : INSTANCE;
      const allowed = scope.all ? null : flags([...scope.allowed, ...scope.owned.map(one => one.accessClass)]);
      const wanted = skill === null ? 0 : (names.get(skill) ?? -1);
      const overlay = scenario === null ? 0 : (names.get(scenario) ?? 0);
      // One more millisecond: SQL compares texts, which may be finer.
      const until = asOf === null ? Number.POSITIVE_INFINITY : Date.parse(asOf) + 1;
      for (let page = 0; page <= last; page++) {
        const passes =
          types[page]! > 0 &&
          (type === 0 || types[page] === type) &&
          (allowed === null || allowed[classes[page]!] === 1) &&
          (wanted === 0 || skills[page] === wanted) &&
          (scenarios[page] === 0 || scenarios[page] === overlay) &&
          times[page]! <= until;
        mask[page] = passes ? 1 : 0;
      }
      return mask;
    },
    classOf: page => classes[page]!,
  };
}

function flags(numbers: readonly number[]): Uint8Array {
  const set = new Uint8Array(numbers.reduce((most, one) => Math.max(most, one), 0) + 1);
  for (const one of numbers) set[one] = 1;
  return set;
}

function copied<A extends Uint8Array | Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
