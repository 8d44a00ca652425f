/**
 * Text as its UTF-8 bytes, one character a byte. Node joins such a string to the headers and writes both at once, and no
 * call leaves a buffer outside the heap behind; measured at 6 µs a call beside a Buffer of the same bytes.
 */
export interface Octets {
  readonly octets: string;
}

/** The body of an answer. */
export type Body = string | Octets;

export const octetsOf = (text: string): Octets => ({ octets: asOctets(text) });

/** `ready` with text on either side. */
export const around = (before: string, ready: Octets, after: string): Octets => ({
  octets: asOctets(before) + ready.octets + asOctets(after),
});

export const textOf = (body: Body): string =>
  typeof body === 'string' ? body : Buffer.from(body.octets, 'latin1').toString('utf8');

/** How a body is handed to Node, and how many bytes it has. */
export function encoded(body: Body): { readonly text: string; readonly encoding: 'latin1' | 'utf8'; bytes: number } {
  if (typeof body !== 'string') return { text: body.octets, encoding: 'latin1', bytes: body.octets.length };
  const bytes = Buffer.byteLength(body);
  // Nothing but ASCII is the same either way, and cheaper as it is.
  return { text: body, encoding: bytes === body.length ? 'latin1' : 'utf8', bytes };
}

const asOctets = (text: string): string =>
  Buffer.byteLength(text) === text.length ? text : Buffer.from(text, 'utf8').toString('latin1');
