import type { GroupMembers } from '../auth/ports.ts';
import type { WriteAclMode } from '../auth/schema.ts';
import type { Log } from '../kernel/log.ts';
import { catalogSource, keptAnswers, pageAccess, projector, type PagesDeps, type ParseCache } from '../pages/index.ts';
import type { IndexedPage, PageIndex, PageStore } from '../pages/ports.ts';
import type { SearchLanes } from '../search/index.ts';
import { synonymsOfText } from '../search/synonyms/index.ts';

export interface PagesParts {
  readonly pages: PageStore;
  readonly index: PageIndex;
  readonly lexical: SearchLanes['lexical'];
  readonly vectors?: { readonly lane: SearchLanes['vectors'] };
  readonly groups: GroupMembers;
}

export interface PagesModes {
  readonly writeAcl: WriteAclMode;
  readonly autonomyLint: WriteAclMode;
  /** See SearchLanes; words and vectors by score, the base list of synonyms, no reranker by default. */
  readonly search?: Partial<Pick<SearchLanes, 'fusion' | 'minSimilarity' | 'rerank' | 'synonyms'>>;
}

/** Wires the pages domain to its adapters. */
export function pagesDeps(parts: PagesParts, cache: ParseCache, modes: PagesModes, log: Log): PagesDeps {
  const catalog = catalogSource(parts.index);
  const { search, ...rest } = modes;
  return {
    store: parts.pages,
    index: parts.index,
    lanes: {
      lexical: parts.lexical,
      vectors: parts.vectors?.lane,
      fusion: 'score',
      minSimilarity: null,
      ...search,
      // The base list is made ready once: that takes milliseconds of the start.
      synonyms: search?.synonyms ?? synonymsOfText([]),
    },
    access: pageAccess({ index: parts.index, groups: parts.groups, catalog }),
    catalog,
    content: page => cache.get(page.sha256, () => committedText(parts.pages, page)),
    answers: keptAnswers(),
    parse: cache.parse,
    project: projector(cache.parse),
    ...rest,
    log,
  };
}

/** The index never names a version that is not stored; a missing one is a fault of ours. */
async function committedText(store: PageStore, page: IndexedPage): Promise<string> {
  const text = await store.text(page);
  if (text === undefined) throw new Error(`version ${page.version} of ${page.pageId} is not stored`);
  return text;
}
