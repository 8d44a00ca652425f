const MAX_ID_BYTES = 512;
const MAX_SEGMENT_BYTES = 200;

/** Page ids are compared in NFC: both Unicode forms of a name are one page (L12). */
export function normalizePageId(id: string): string {
  return isPlain(id) ? id : id.normalize('NFC');
}

/**
 * Why a text is no page id, null when it is one: a relative path in NFC whose segments are names (E137, E138, X01).
 * Dots inside a name and names that begin with one are fine; nothing is ever decoded.
 */
export function pageIdProblem(id: string): string | null {
  if (isPlain(id)) return null;
  if (id === '') return 'a page id must not be empty';
  if (id.startsWith('/')) return 'a page id is a relative path and must not begin with /';
  if (id.includes('\\')) return 'a page id must not contain a backslash';
  if (CONTROL.test(id)) return 'a page id must not contain control characters';
  if (LONE_SURROGATE.test(id)) return 'a page id must be well-formed Unicode';
  if (normalizePageId(id) !== id) return 'a page id must be in Unicode form NFC';
  const segments = id.split('/');
  if (segments.includes('')) return 'a page id must not have empty segments';
  if (segments.includes('.') || segments.includes('..')) return 'a page id must not have . or .. segments';
  if (utf8Length(id) > MAX_ID_BYTES) return `a page id must not be longer than ${MAX_ID_BYTES} bytes`;
  const long = segments.some(segment => utf8Length(segment) > MAX_SEGMENT_BYTES);
  return long ? `a segment of a page id must not be longer than ${MAX_SEGMENT_BYTES} bytes` : null;
}

/** Short names of ASCII letters, digits and dashes with dots inside: what nearly every id is made of, and nothing is wrong with. */
const isPlain = (id: string): boolean => id.length <= MAX_SEGMENT_BYTES && PLAIN.test(id);
const PLAIN = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
