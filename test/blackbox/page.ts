import type { Client } from './client.ts';

/** The text of a page: header lines as written, and a body. */
export const page = (header: string, body = ''): string => `---\n${header.trim()}\n---\n${body}`;

export const skill = (id: string, header = '', body = `# ${id}\n`): string =>
  page(`type: skill\nid: ${id}\n${header}`, body);

export const instance = (of: string, id: string, header = '', body = `# ${id}\n`): string =>
  page(`type: instance\nskill: ${of}\nid: ${id}\n${header}`, body);

export const skillPath = (id: string): string => `markdown/skills/${id}.md`;
export const path = (of: string, id: string): string => `markdown/instances/${of}/${id}.md`;

/** Writes pages one after the other; each must be taken. */
export async function write(to: Client, pages: Readonly<Record<string, string>>): Promise<void> {
  for (const [page_id, content] of Object.entries(pages)) {
    const { ok, issues } = await to.ok('update_page', { page_id, content });
    if (!ok) throw new Error(`${page_id} was refused: ${JSON.stringify(issues)}`);
  }
}

/** Writes a skill page. */
export const writeSkill = (to: Client, id: string, header = '', body?: string): Promise<void> =>
  write(to, { [skillPath(id)]: skill(id, header, body) });

/** Writes an instance page and says under which id. */
export async function writeInstance(to: Client, of: string, id: string, header = '', body?: string): Promise<string> {
  await write(to, { [path(of, id)]: instance(of, id, header, body) });
  return path(of, id);
}
