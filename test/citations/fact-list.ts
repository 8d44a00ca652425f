/** The facts of the pages surface that this product answers for, as ranges of their ids. */
export const RANGES = [
  'E001-E057',
  'E060-E061',
  'E063-E073',
  'E082-E086',
  'E092-E093',
  'E095-E134',
  'E136-E153',
  'E155-E156',
  'E158-E244',
  'E254-E269',
  'E270-E298',
  'E299-E318',
  'E341-E392',
  'E394-E395',
  'E397-E445',
  'E666-E683',
  'E686-E690',
  'E693-E707',
  'N001-N080',
] as const;

/** Facts that hold otherwise here, on purpose, and how. They need a rule and a test like any other, of what holds instead. */
export const REPLACED: Readonly<Record<string, string>> = {
  E002: 'an unknown revision is answered with the newest that has a handshake',
  E009: 'arguments that are refused carry a code and their place',
  E018: 'the number of tools is not fixed',
  E019: 'the number of tools is not fixed',
  E022: 'provenance tools are labelled deterministic',
  E029: 'there always is an index: a missing one is made anew, and nobody reads before it is whole',
  E039: 'an open gateway listens on loopback only',
  E072: 'each embedded block of a call is debited',
  E096: 'a byte order mark, other line ends and blank lines hide no header; an unreadable one closes the page',
  E114: 'anchor and version stand in any order',
  E122: 'every part of a link is trimmed',
  E126: 'tilde fences and indented code are code',
  E132: 'pages are split into blocks',
  E133: 'a trailing ^anchor names its block',
  E138: 'a bad page id is -32602 with a code',
  E149: 'each anchor and header key is an edge of its own',
  E153: 'links are seen however deep they lie',
  E155: 'a committed page is found by words at once',
  E203: 'an unknown order is refused',
  E215: 'hidden rows make no page short',
  E223: 'anything but one whole link is refused',
  E224: 'brackets are optional',
  E237: 'every version is kept, and is what a cut shows',
  E238: 'every version is kept, and is what a cut shows',
  E239: 'every version is kept, of overlays too',
  E255: 'a target that exists is named by page id',
  E259: 'bare links that resolve are backlinks',
  E262: 'the three arguments work',
  E266: 'edges to hidden pages are left out',
  E267: 'a hidden page has no edges',
  E272: 'q together with queries is refused',
  E281: 'lanes are fused by evidence; reciprocal ranks are a setting',
  E283: 'filters are applied inside the lanes, so no hit is missing that passes',
  E290: 'an unknown operator is an issue, and nothing is searched',
  E305: 'the cut holds on a way as well',
  E311: 'the shortest way that may be read is found',
  E314: 'times are RFC 3339 with Z',
  E343: 'places are line and column',
  E355: 'a missing anchor is a warning',
  E356: 'a bad time on an event is an error',
  E364: 'hidden targets look like missing ones',
  E366: 'warnings are reported',
  E370: 'an unreadable draft is an issue with line and column',
  E372: 'versions count from v1 for every page',
  E373: 'versions count from v1 for every page',
  E379: 'any stored version can be the base of a merge',
  E381: 'no deployment lacks versions',
  E427: 'an unreadable draft is an issue with line and column',
  E432: 'an archived page is not_found as an absent one is',
  E433: 'an archived page is not_found as an absent one is',
  E435: 'no deployment lacks versions',
  E441: 'history moves along',
  E666: 'creating the served tenant may be repeated',
  E669: 'another tenant is a failed precondition',
  E673: 'another tenant is a failed precondition',
  E675: 'another tenant is a failed precondition',
  E676: 'the same pages give the same bytes',
  E677: 'imported pages are found before the answer',
  E697: '/metrics is on the main port unless a listener is named',
  E701: 'every audit sets the drift',
  N041: 'hash is the default',
};

/** Facts about a tool that is not there yet: fact → tool. As soon as the tool is there, a test has to cite the fact. */
export const AWAITED: Readonly<Record<string, string>> = {
  E017: 'validate_bindings',
  E027: 'query_instance',
  E296: 'query_instance',
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
