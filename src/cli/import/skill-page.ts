import { renderPage } from '../../pages/index.ts';
import { folderOfSkill, ROOT_SKILL } from './names.ts';

/** A skill page for notes that had none: what it is about, and the header keys that its notes carry. */
export function generatedSkill(skill: string, keys: readonly string[]): string {
  const name = folderOfSkill(skill);
  const title = name.trim() === '' ? skill : name;
  const origin =
    skill === ROOT_SKILL ? 'Notes from the top of an imported folder.' : `Imported notes of the kind ${title}.`;
  const header = {
    type: 'skill',
    id: skill,
    title,
    description: origin,
    required_frontmatter: [],
    optional_frontmatter: [...keys],
  };
  return renderPage(header, BODY);
}

const BODY = `
This page was made by an import. Replace it by what somebody needs to know who writes the next page of this kind:

- what is one of these, and what is not
- which header keys every page must have (\`required_frontmatter\`) and what their values mean
- how such a page is called, and what it should link to
`;
