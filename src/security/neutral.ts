/** Invisible, bidi, control, private and unassigned characters. Line feed and tab are no danger inside a block. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Brackets that are, or look like, those of a frame. Guillemets stay: German and French texts quote with them. */
const BRACKETS = new RegExp(
  `[${[
    '\\u02C2\\u02C3\\u1433\\u1438\\u226A\\u226B\\u227A\\u227B\\u22D6-\\u22D9\\u2329\\u232A\\u276C-\\u2771',
    '\\u27E6-\\u27EF\\u2983-\\u2998\\u29D8-\\u29DB\\u29FC\\u29FD\\u2AA1\\u2AA2\\u2ABB\\u2ABC\\u2AF7\\u2AF8',
    '\\u2E28\\u2E29\\u3008-\\u300B\\u3018-\\u301B\\uFE3D-\\uFE40\\uFE64\\uFE65\\uFF1C\\uFF1E\\uFF5F\\uFF60',
  ].join('')}]`,
  'gu',
);

/** How every frame names itself, whatever stands around it. */
const NAME = /(?<![\p{L}\p{N}])(gn\s{0,3})([:\uFF1A\uFE55\u2236\uA789])/giu;

/**
 * A text that can stand inside a block: every character that could close or open one, turn text around or hide it is written
 * as `\u{…}`. Lines end in a line feed; anything else stays as it is.
 */
export function neutral(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, character => (character === '\n' || character === '\t' ? character : escaped(character)))
    .replace(BRACKETS, escaped)
    .replace(NAME, '$1\\$2');
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`;
