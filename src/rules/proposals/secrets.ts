/** Shapes that only secrets have. Each is bounded, so that no text takes long. */
const SHAPES: Readonly<Record<string, RegExp>> = {
  'private-key': /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/,
  'aws-key': /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
  'github-token': /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})\b/,
  'gitlab-token': /\bglpat-[A-Za-z0-9_-]{20,255}/,
  'slack-token': /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/,
  'google-key': /\bAIza[A-Za-z0-9_-]{35}/,
  'stripe-key': /\b[rs]k_live_[A-Za-z0-9]{16,255}/,
  'model-key': /\bsk-(?:ant-|proj-|svcacct-)?[A-Za-z0-9_-]{32,255}/,
  'gateway-bearer': /\bgn_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/,
  jwt: /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,4000}/,
  'address-with-password': /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{3,200}@[^\s/@]/i,
};

/** A word for a secret, then a value without white space that mixes kinds of characters. */
const NAMED =
  /(?:pass(?:word|wort|phrase|code)|kennwort|pwd|api[ _-]?(?:key|schlüssel)|secret|geheimnis|token|zugangsdaten)["']?\s{0,5}(?:is|ist|lautet|=|:)[\s:=]{0,5}["'„“»`]?([^\s"'“”«`,;]{8,200})/giu;

/** The kinds of secrets in a text, none when it holds none. The secret itself is never repeated. */
export function secretsIn(text: string): readonly string[] {
  const kinds = Object.entries(SHAPES).flatMap(([kind, shape]) => (shape.test(text) ? [kind] : []));
  const named = [...text.matchAll(NAMED)].some(([, value]) => isMixed(value!));
  return named ? [...kinds, 'named-secret'] : kinds;
}

/** Letters and digits, or letters in both cases with a mark between: no plain word of a sentence is like that. */
function isMixed(value: string): boolean {
  const core = value.replace(/[.!?)]+$/, '');
  if (!/[A-Za-z]/.test(core)) return false;
  return /\d/.test(core) || (/[a-z]/.test(core) && /[A-Z]/.test(core) && /[^A-Za-z0-9.\-äöüßÄÖÜ]/.test(core));
}
