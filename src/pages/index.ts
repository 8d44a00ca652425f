export { pageAccess, reasonsOn, type DecidedBy } from './access.ts';
export { catalogSource, META_SKILL } from './catalog.ts';
export type { PagesDeps } from './deps.ts';
export { edgesOf } from './edges.ts';
export { keptAnswers } from './kept-answers.ts';
export { META_SKILL_ID, metaSkillText } from './meta-skill-text.ts';
export {
  createParseCache,
  dominantEol,
  encodeLinkPart,
  findAnchor,
  normalizePageId,
  pageIdProblem,
  parseAt,
  parsePage,
  parseWikilink,
  project,
  projector,
  renderPage,
  splitHeader,
  stampHeader,
  type Eol,
  type ParseCache,
  type SplitPage,
} from './parse/index.ts';
export { sizeProblem } from './page-size.ts';
export { resolveTarget } from './visible.ts';
export { ownerResolves } from './update-situation.ts';
