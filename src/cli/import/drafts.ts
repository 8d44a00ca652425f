import { parsePage } from '../../pages/index.ts';
import type { ParsedPage } from '../../pages/model.ts';
import type { SourceFile } from './model.ts';
import { pathParts, ROOT_SKILL, skillOfFolder } from './names.ts';

/** A file on its way to become a page. */
export interface Draft {
  readonly file: SourceFile;
  readonly parsed: ParsedPage;
  /** `skill` and `instance`: the file says so. `note`: anything else. */
  readonly kind: 'skill' | 'instance' | 'note';
  /** An exported page whose header cannot be read: it must stay as it is, or more people would see it (F07). */
  readonly sealed: boolean;
  readonly skill: string;
  /** The id that the header brings along. */
  readonly ownId: string | null;
  /** The file's name without its ending, as on the disk. */
  readonly name: string;
  /** Where an exported page lies (E137), null in any other folder. */
  readonly pageId: string | null;
}

const LAYOUT = /^(?:markdown\/)?(skills\/[^/]+|instances\/([^/]+)\/.+)$/u;
const PACK = /^(?:markdown\/)?base\//u;
const CLAIMS_TYPE = /^["']?type["']?[ \t]*:[ \t]*["']?(?:skill|instance)\b/mu;

/** What a file is, or why it is left out. `into` is the skill of notes that name none. */
export function draftOf(file: SourceFile, into: string | undefined): Draft | { readonly reason: string } {
  const parsed = parsePage(file.text);
  const code = parsed.problem?.code ?? null;
  const readable = code === null || code === 'invalid_type';
  const text = (key: string): string | null => {
    const value = Object.hasOwn(parsed.frontmatter, key) ? parsed.frontmatter[key] : undefined;
    return readable && typeof value === 'string' && value !== '' ? value.normalize('NFC') : null;
  };
  const pack = PACK.test(file.path) || text('layer')?.startsWith('base@') === true;
  if (pack) return { reason: 'belongs to a pack: import the pack' };
  const { bare, folders, name } = pathParts(file.path);
  const [, inLayout, layoutSkill] = LAYOUT.exec(bare) ?? [];
  const sealed = !readable && inLayout !== undefined && CLAIMS_TYPE.test(file.text);
  const said = sealed ? (layoutSkill === undefined ? 'skill' : 'instance') : text('type');
  const kind = (code === null || sealed) && (said === 'skill' || said === 'instance') ? said : 'note';
  const ofFolder = layoutSkill ?? into ?? (folders.length === 0 ? ROOT_SKILL : skillOfFolder(folders[0]!));
  const laidOut = inLayout !== undefined && (kind !== 'note' || layoutSkill !== undefined);
  return {
    file,
    parsed,
    kind,
    sealed,
    skill: text('skill') ?? ofFolder,
    ownId: text('id'),
    name,
    pageId: laidOut ? `markdown/${inLayout.normalize('NFC')}.md` : null,
  };
}
