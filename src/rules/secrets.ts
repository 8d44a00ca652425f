/** Shapes that only secrets have. Each is bounded, so that no text takes long. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'private-key':
    /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[0-9A-Z]{20,80}/g,
  'aws-key': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
  'azure-key': /\bAccountKey=[A-Za-z0-9+/]{40,100}/g,
  'github-token': /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b/g,
  'gitlab-token': /\bglpat-[A-Za-z0-9_-]{20,255}/g,
  'slack-token':
    /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}|\bxapp-\d-[A-Za-z0-9-]{10,255}|hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,255}/g,
  'google-key': /\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{20,255}|\bGOCSPX-[A-Za-z0-9_-]{20,255}/g,
  'stripe-key': /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}|\bwhsec_[A-Za-z0-9]{16,255}/g,
  'mail-key': /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}|\bkey-[0-9a-f]{32}\b/g,
  'package-token': /\bnpm_[A-Za-z0-9]{36}|\bpypi-[A-Za-z0-9_-]{40,255}|\bdckr_pat_[A-Za-z0-9_-]{20,255}/g,
  'model-key': /\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,255}|\bhf_[A-Za-z0-9]{30,255}/g,
  'gateway-bearer': /\bgn_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g,
  jwt: /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}/g,
  'bearer-header':
    /\bAuthorization: {0,5}(?:Bearer|Basic) {1,5}[A-Za-z0-9+/=._~-]{12,4000}|\bBearer {1,5}(?=[A-Za-z+/=._~-]{0,60}\d)[A-Za-z0-9+/=._~-]{24,4000}/gi,
  'address-with-password': /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,200}@[^\s/@]/gi,
  pin: /\b(?:PIN|TAN|PUK|CVC|CVV)\b[ -]{0,3}(?:code|nummer|number)?["']?\s{0,3}(?:is|ist|lautet|=|:)\s{0,3}\d{3,8}\b/gi,
};

/** A word for a secret, then a value without white space that mixes kinds of characters. */
const NAMED =
  /(?:pass(?:word|wort|phrase|code)|kennwort|pwd|api[ _-]?(?:key|schlüssel)|(?:secret|private|access|signing|encryption)[ _-]?key|secret|geheimnis|token|zugangsdaten)["']?\s{0,5}(?:is|ist|lautet|=|:)[\s:=]{0,5}["'„“»`]?([^\s"'“”«`,;]{6,200})/giu;

/** Characters that show nothing and so could hide a shape. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Nobody reads more of one text. */
const MAX_FINDINGS = 200;

/** Where a text holds a secret, in UTF-16 units; never the secret itself. */
export interface SecretFinding {
  readonly kind: string;
  readonly start: number;
  readonly length: number;
}

/** The secrets in a text as it stands, in their order, at most 200. */
export function findSecrets(text: string): readonly SecretFinding[] {
  const found: SecretFinding[] = [];
  const take = (
    kind: string,
    matches: Iterable<RegExpExecArray>,
    fits: (match: RegExpExecArray) => boolean = () => true,
  ): void => {
    for (const match of matches) {
      if (fits(match)) found.push({ kind, start: match.index, length: match[0].length });
      if (found.length >= MAX_FINDINGS) return;
    }
  };
  for (const [kind, shape] of Object.entries(SHAPES)) take(kind, text.matchAll(shape));
  take('named-secret', text.matchAll(NAMED), ([, value]) => isMixed(value!));
  return found.toSorted((a, b) => a.start - b.start).slice(0, MAX_FINDINGS);
}

/** The kinds of secrets in a text, also where invisible characters or other forms of letters hide them; none when it holds none. */
export function secretsIn(text: string): readonly string[] {
  const plain = text.normalize('NFKC').replace(IGNORABLE, '');
  const found = [...findSecrets(text), ...(plain === text ? [] : findSecrets(plain))];
  return [...new Set(found.map(({ kind }) => kind))];
}

/** Letters and digits, or letters in both cases with a mark between: no plain word of a sentence is like that. */
function isMixed(value: string): boolean {
  const core = value.replace(/[.!?)]+$/, '');
  if (core.length < 6 || !/[A-Za-z]/.test(core)) return false;
  return /\d/.test(core) || (/[a-z]/.test(core) && /[A-Z]/.test(core) && /[^A-Za-z0-9.\-äöüßÄÖÜ]/.test(core));
}
