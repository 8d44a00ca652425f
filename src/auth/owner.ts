/**
 * Who an owner value means, as one comparable text: `s:<subject>` for a direct value, `l:<skill>::<id>` for a typed
 * wikilink, whose instance's `credential` names the subject; null when it names nobody (E400-E402).
 * Deterministic and total. A nested list that YAML reads from an unquoted `[[skill::id]]` counts as that link (E152),
 * also as the JSON text in which SQL hands it over.
 */
export function ownerKey(value: unknown): string | null {
  const text = typeof value === 'string' ? value : unquotedLink(value);
  if (text === null || text === '') return null;
  if (!text.includes('[[')) return subjectKey(text);
  for (const [, content] of text.matchAll(LINK)) {
    const link = typedLink(content!);
    if (link) return link.id === '' ? null : instanceKey(link.skill, link.id);
  }
  return subjectKey(text);
}

/** The key of a caller's own subject. */
export function subjectKey(subject: string): string {
  return `s:${subject}`;
}

/** The key of an instance whose `credential` is the caller's subject. Ids compare in NFC. */
export function instanceKey(skill: string, id: string): string {
  return `l:${skill.normalize('NFC')}::${id.normalize('NFC')}`;
}

const LINK = /\[\["?([^[\]\r\n]*?)"?\]\]/g;

/** The parts around the first `::`, without alias, anchor and version; null for a bare link (E107-E118). */
function typedLink(content: string): { skill: string; id: string } | null {
  const target = content.split('|', 1)[0]!.split(/[#@]/, 1)[0]!;
  const at = target.indexOf('::');
  const skill = at < 0 ? '' : target.slice(0, at).trim();
  return skill === '' ? null : { skill, id: target.slice(at + 2).trim() };
}

function unquotedLink(value: unknown): string | null {
  if (!Array.isArray(value) || value.length !== 1) return null;
  const inner: unknown = value[0];
  if (!Array.isArray(inner) || inner.length !== 1 || typeof inner[0] !== 'string') return null;
  return `[[${inner[0]}]]`;
}
