import type { SourceAuth } from '../model.ts';

type Results = Pick<SourceAuth, 'spf' | 'dkim' | 'dmarc'>;

const METHODS = ['spf', 'dkim', 'dmarc'] as const;
/** Remarks and quoted values say what they like. */
const ASIDE = /\([^()]{0,1000}\)|"(?:[^"\\]|\\.){0,1000}"/g;

/**
 * What `Authentication-Results` headers say of a mail (RFC 8601), one word a method or null. A result other than `pass` wins over
 * `pass`, wherever it stands; of the DKIM signatures in one header one that passes is enough.
 */
export function resultsOf(headers: readonly string[]): Results {
  const each = headers.map(header => header.replace(ASIDE, ' ').toLowerCase());
  const [spf, dkim, dmarc] = METHODS.map(method => worst(each.map(header => ofHeader(header, method))));
  return { spf: spf!, dkim: dkim!, dmarc: dmarc! };
}

function ofHeader(header: string, method: (typeof METHODS)[number]): string | null {
  const pattern = new RegExp(`(?:^|[;\\s])${method}\\s{0,5}(?:/\\s{0,5}\\d{1,3}\\s{0,5})?=\\s{0,5}([a-z]{1,20})`, 'g');
  const all = [...header.matchAll(pattern)].map(([, result]) => result!);
  return method === 'dkim' && all.includes('pass') ? 'pass' : worst(all);
}

const worst = (results: readonly (string | null)[]): string | null =>
  results.find(one => one !== null && one !== 'pass') ?? results.find(one => one !== null) ?? null;
