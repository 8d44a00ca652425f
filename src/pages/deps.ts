import type { WriteAclMode } from '../auth/schema.ts';
import type { Log } from '../kernel/log.ts';
import type { SearchLanes } from '../search/index.ts';
import type { PageAccess } from './access.ts';
import type { Catalog } from './catalog.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { ParsedPage } from './model.ts';
import type { IndexedPage, PageIndex, PageStore, Project } from './ports.ts';

/** What the ops of this domain work with; each takes the part it needs. */
export interface PagesDeps {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly lanes: SearchLanes;
  readonly access: PageAccess;
  readonly catalog: () => Promise<Catalog>;
  /** The committed bytes of an indexed page, taken apart. */
  readonly content: (page: IndexedPage) => Promise<ParsedPage>;
  readonly answers: KeptAnswers;
  /** `parsePage` and `project`, remembering what they were asked last. */
  readonly parse: (content: string) => ParsedPage;
  readonly project: Project;
  readonly writeAcl: WriteAclMode;
  readonly autonomyLint: WriteAclMode;
  readonly log: Log;
}
