/** The facts of the pages surface that this product answers for, as ranges of their ids. */
export const RANGES = [
  'E001-E016',
  'E018-E026',
  'E028',
  'E030-E057',
  'E060-E061',
  'E063-E073',
  'E082-E086',
  'E092-E093',
  'E095-E134',
  'E136-E153',
  'E155-E156',
  'E158-E244',
  'E254-E269',
  'E299-E318',
  'E341-E392',
  'E394-E395',
  'E397-E445',
  'E666-E683',
  'E686-E690',
  'E693-E707',
  'N001-N080',
] as const;

/** Facts about a tool that is not there yet: fact → tool. As soon as the tool is there, a test has to cite the fact. */
export const AWAITED: Readonly<Record<string, string>> = {
  E408: 'fetch_blob',
  E410: 'query_instance',
  E411: 'list_messages',
  E412: 'open_session',
  E413: 'write_instance',
  E414: 'open_session',
  E415: 'assign_event',
};

/** At most five facts that are not held, each with the sentence of the pages contract that contradicts it. */
export const EXEMPT: readonly { readonly fact: string; readonly contract: string }[] = [];

/** `E001-E003` and `E001` → the ids they mean. */
export function idsOf(text: string): string[] {
  return [...text.matchAll(/\b([EN])(\d{3})(?: ?[-–] ?\1?(\d{3}))?(?!\d)/g)].flatMap(([, letter, first, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    return Array.from({ length: to - from + 1 }, (_, no) => letter + String(from + no).padStart(3, '0'));
  });
}
