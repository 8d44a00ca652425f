import type { DocReach } from '../lexical/doc-writer.ts';
import { languageNamed } from '../../../search/index.ts';
import type { Language } from '../../../search/ports.ts';
import type { Origin, PageProjection } from '../../../pages/ports.ts';

/** A durable version on its way into the index, or a removal: archived, with version 0. */
export interface Derived {
  readonly seq: number;
  readonly pageId: string;
  readonly version: number;
  readonly sha256: string;
  readonly author: string | null;
  readonly origin: Origin;
  readonly committedAt: string;
  /** Commit time of the oldest version that is kept. */
  readonly firstAt: string;
  readonly archived: boolean;
  readonly projection: PageProjection;
}

/** Words that every block, or the first block, of a page is found by. */
export interface PageWords {
  readonly title: string;
  readonly name: string;
  readonly description: string;
  /** As its header says; null: each block tells by its words. */
  readonly language: Language | null;
}

/** The words of a page, and who may find it by them. */
export interface Findable {
  readonly words: PageWords;
  readonly reach: DocReach;
}

export const wordsOf = (page: {
  title: string;
  skill: string;
  slug: string | null;
  description: string;
  lang: unknown;
}): PageWords => ({
  title: page.title,
  name: `${page.skill}::${page.slug ?? ''}`,
  description: page.description,
  language: languageNamed(page.lang),
});
