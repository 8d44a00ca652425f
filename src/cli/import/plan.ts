import { pageIdProblem } from '../../pages/index.ts';
import { clashesOf, similarSkills } from './clashes.ts';
import { draftOf, type Draft } from './drafts.ts';
import { headed } from './header.ts';
import { giveIds } from './ids.ts';
import { countLinks, linkedNames } from './links.ts';
import type { Clash, ImportPlan, Mapped, PlannedPage, PlanOptions, Remark, SourceFile, Unmapped } from './model.ts';
import { noteId, pathParts } from './names.ts';
import { pageIdOf, pageIds, skillPageId } from './paths.ts';
import { generatedSkill } from './skill-page.ts';

/**
 * Says which pages a folder's markdown files become. Pure; every file ends up in `mapped` or in `unmapped`, and the body
 * of a page holds the file's body byte for byte.
 */
export function planImport(files: readonly SourceFile[], options: PlanOptions = {}): ImportPlan {
  const refused: Unmapped[] = [];
  const drafts: Draft[] = [];
  for (const file of files.toSorted(byPlace)) {
    const draft = file.text.includes('\0')
      ? { reason: 'holds NUL characters: not a text' }
      : draftOf(file, options.into);
    if ('reason' in draft) refused.push({ file: file.path, reason: draft.reason });
    else drafts.push(draft);
  }
  const ids = giveIds(drafts, linkedNames(drafts));
  const made = writePages(drafts, ids);
  const unmapped = [...(options.unmapped ?? []), ...refused, ...made.unmapped];
  const declared = new Set(made.drafts.filter(({ kind }) => kind === 'skill').map(draft => ids.get(draft)!));
  const instances = new Map<string, Set<string>>();
  for (const draft of made.drafts) {
    if (draft.kind !== 'skill')
      instances.set(draft.skill, (instances.get(draft.skill) ?? new Set()).add(ids.get(draft)!));
  }
  const skillsCreated = [...instances.keys()].filter(skill => !declared.has(skill)).toSorted();
  const skillPages = skillsCreated.map(skill => {
    const { pageId } = made.give(skillPageId(skill), skill);
    return { pageId, content: generatedSkill(skill, keysOf(made.drafts, skill)), from: null };
  });
  const skills = new Set([...declared, ...skillsCreated]);
  return {
    pages: [...skillPages, ...made.pages].toSorted((a, b) => Number(!isSkillPage(a)) - Number(!isSkillPage(b))),
    skillsCreated,
    mapped: made.mapped,
    unmapped,
    clashes: [...clashesOf(drafts, ids), ...made.clashes, ...similarSkills(skillsCreated, skillPageId)],
    remarks: made.remarks,
    links: countLinks(made.drafts, { instances, skills, unmapped }),
  };
}

interface Written {
  readonly drafts: readonly Draft[];
  readonly pages: readonly PlannedPage[];
  readonly mapped: readonly Mapped[];
  /** Files that would have no page id, since their name is too long for example. */
  readonly unmapped: readonly Unmapped[];
  readonly clashes: readonly Clash[];
  readonly remarks: readonly Remark[];
  readonly give: ReturnType<typeof pageIds>;
}

function writePages(drafts: readonly Draft[], ids: ReadonlyMap<Draft, string>): Written {
  const give = pageIds();
  const written = { drafts: [] as Draft[], pages: [] as PlannedPage[], mapped: [] as Mapped[] };
  const clashes: Clash[] = [];
  const remarks: Remark[] = [];
  const unmapped: Unmapped[] = [];
  for (const draft of drafts) {
    const { file, kind, skill, ownId } = draft;
    const id = ids.get(draft)!;
    const wanted = pageIdOf(draft, id);
    const problem = pageIdProblem(wanted);
    if (problem !== null) {
      unmapped.push({ file: file.path, reason: `${problem}: ${wanted}` });
      continue;
    }
    const { pageId, holder } = give(wanted, file.path);
    if (holder !== null) clashes.push({ kind: 'same-path', files: [holder, file.path], ids: [wanted, pageId] });
    const page = pageOf(draft, id);
    for (const message of page.remarks) remarks.push({ file: file.path, message });
    if (kind === 'note' && ownId !== null && ownId !== noteId(draft.name)) {
      remarks.push({
        file: file.path,
        message: `its header calls it ${ownId}: links to [[${draft.name}]] do not find it`,
      });
    }
    written.drafts.push(draft);
    written.pages.push({ pageId, content: page.content, from: file.path });
    written.mapped.push({ file: file.path, pageId, skill: kind === 'skill' ? id : skill, id, header: page.header });
  }
  return { ...written, unmapped, clashes, remarks, give };
}

function pageOf(draft: Draft, id: string): ReturnType<typeof headed> {
  const { sealed, file, skill, name } = draft;
  if (!sealed) return headed(file.text, { skill, id, title: noteId(name) });
  const message = 'its header cannot be read: kept as it is, only admins see the page until it is repaired';
  return { content: file.text, header: 'kept', remarks: [message] };
}

/** Nearer to the top first, then by path: the order in which names are given. */
function byPlace(a: SourceFile, b: SourceFile): number {
  const depth = pathParts(a.path).folders.length - pathParts(b.path).folders.length;
  return depth || (a.path < b.path ? -1 : 1);
}

const isSkillPage = ({ pageId }: PlannedPage): boolean => pageId.startsWith('markdown/skills/');

const IDENTITY = new Set(['type', 'skill', 'id']);

function keysOf(drafts: readonly Draft[], skill: string): string[] {
  const notes = drafts.filter(draft => draft.kind !== 'skill' && draft.skill === skill);
  return [...new Set(notes.flatMap(({ parsed }) => Object.keys(parsed.frontmatter)))]
    .filter(key => !IDENTITY.has(key))
    .toSorted();
}
