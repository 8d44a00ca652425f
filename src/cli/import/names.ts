/** Notes at the top of the folder are instances of this skill. */
export const ROOT_SKILL = 'note';

/** Names with a meaning of their own in links: `[[skill::x]]` is a skill page, `escurel` the meta-skill. */
const RESERVED = new Set(['skill', 'escurel']);

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/gu;
// oxlint-disable-next-line no-control-regex -- as above
const NO_NAME = /[\u0000-\u001f\u007f-\u009f\\/]|%(?=[0-9A-F]{2})/gu;

/**
 * The skill of a folder: its name with `_` for spaces. Anything that could not be told apart any more, or that has no
 * form in a page id, is percent-coded, so that `folderOfSkill` gives the name back and no two folders share a skill (L07).
 */
export function skillOfFolder(folder: string): string {
  const name = folder.normalize('NFC');
  const slug = coded(name, NO_NAME)
    .replace(/_|[^\S ]/gu, percent)
    .replace(/ /gu, '_');
  return RESERVED.has(slug) ? percentAscii(slug[0]!) + slug.slice(1) : slug;
}

/** The folder name, in NFC, that `skillOfFolder` made a skill of. */
export function folderOfSkill(skill: string): string {
  return decoded(skill.replace(/_/gu, ' '));
}

/** Why a text cannot be the skill of imported notes; null when it can. */
export function skillProblem(skill: string): string | null {
  if (skill === '' || skill.trim() !== skill) return 'a skill needs a name without outer spaces';
  if (RESERVED.has(skill)) return `${skill} is a reserved name`;
  return skill === coded(skill, NO_NAME) && skill !== '.' && skill !== '..'
    ? null
    : 'a skill is named without / \\ and control characters';
}

/** One segment of a page id out of a file or folder name, in NFC; reversible. */
export function segmentOf(name: string): string {
  const segment = coded(name.normalize('NFC'), NO_NAME);
  return segment === '.' || segment === '..' ? segment.replace(/\./gu, percentAscii) : segment;
}

/** The id that `[[name]]` finds: the name as people write it, case and inner spaces kept, without outer ones. */
export function noteId(name: string): string {
  const id = coded(name.normalize('NFC'), CONTROL).trim();
  return id === '' ? coded(name, /\s/gu) : id;
}

/** Equal for names that people mix up: case, spaces, hyphens and underscores do not count. */
export function lookAlike(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '-');
}

/** A path without the ending of a markdown file, and the pieces it is made of. */
export function pathParts(path: string): {
  readonly bare: string;
  readonly folders: readonly string[];
  readonly name: string;
} {
  const bare = path.replace(/\.(?:md|markdown)$/iu, '');
  const folders = bare.split('/');
  return { bare, folders, name: folders.pop()! };
}

const coded = (text: string, what: RegExp): string => text.replace(what, percent);
const percent = (unit: string): string => (unit.charCodeAt(0) < 0x80 ? percentAscii(unit) : encodeURIComponent(unit));
const percentAscii = (unit: string): string => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const decoded = (text: string): string => text.replace(/(?:%[0-9A-F]{2})+/gu, decodeURIComponent);
