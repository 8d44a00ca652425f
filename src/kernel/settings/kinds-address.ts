import { bad, good, textKind, type Kind, type Parsed } from './kind.ts';

/** Where to listen. An IPv6 host stands without brackets. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const IPV6 = /^[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9]+)?$/;

/** `text` as a host name or address, brackets of IPv6 removed; undefined when it is neither. */
function hostOf(value: string): string | undefined {
  const inner = /^\[(.*)\]$/.exec(value)?.[1];
  if (inner !== undefined) return inner.includes(':') && IPV6.test(inner) ? inner : undefined;
  return HOST.test(value) || (value.includes(':') && IPV6.test(value)) ? value : undefined;
}

/** A host name, IPv4 or IPv6 address to listen on. */
export function host(): Kind<string> {
  const must = 'must be a host name or an IP address';
  return textKind('host name or IP address', must, value => {
    const known = hostOf(value);
    return known === undefined ? bad(must) : good(known);
  });
}

/** `host:port`, IPv6 in brackets. */
export function listen(): Kind<Address> {
  const must = 'must be host:port, an IPv6 address in brackets';
  return textKind('host:port', must, value => {
    const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(value) ?? [];
    const known = hostOf(name);
    return known === undefined || Number(port) > 65_535 ? bad(must) : good({ host: known, port: Number(port) });
  });
}

/** `host:port`, or `off` (also empty, N074) for no listener. */
export function listenOrOff(): Kind<Address | 'off'> {
  const address = listen();
  const must = 'must be host:port or off';
  return textKind('host:port, off', must, (value): Parsed<Address | 'off'> => {
    if (value === '' || value.toLowerCase() === 'off') return good('off');
    const parsed = address.text(value);
    return parsed.ok ? parsed : bad(must);
  });
}

function urlOf(value: string, schemes: readonly string[]): URL | undefined {
  if (/\s/.test(value) || !URL.canParse(value)) return undefined;
  const parsed = new URL(value);
  const open = parsed.username === '' && parsed.password === '';
  return open && schemes.includes(parsed.protocol.slice(0, -1)) ? parsed : undefined;
}

/** An address of the web without user name and password, kept as written. */
export function url(schemes: readonly string[] = ['http', 'https']): Kind<string> {
  const says = `URL (${schemes.join(', ')})`;
  const must = `must be a ${says} without user name and password`;
  return textKind(says, must, value => (urlOf(value, schemes) ? good(value) : bad(must)));
}

/** The address that people and clients reach the server at: no trailing slash, query or fragment. */
export function publicUrl(): Kind<string> {
  const must = 'must be an http or https URL without trailing slash, query, user name and password';
  return textKind('URL (http, https), no trailing slash', must, value =>
    urlOf(value, ['http', 'https']) && !/[/?#]$|[?#]/.test(value) ? good(value) : bad(must),
  );
}

/** Where a proxy listens, as other programs read it: a bare `host:port` speaks HTTP, user name and password are allowed. */
export function proxyUrl(): Kind<string> {
  const says = 'URL (http, https) or host:port of a proxy';
  const must = `must be a ${says}`;
  return textKind(says, must, value => {
    const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    if (/\s/.test(full) || !URL.canParse(full)) return bad(must);
    const { protocol, hostname } = new URL(full);
    return /^https?:$/.test(protocol) && hostname !== '' ? good(full) : bad(must);
  });
}

/** What a browser sends as `Origin`: scheme, host and port, nothing after. */
export function origin(): Kind<string> {
  const must = 'must be an origin such as https://notes.example.com';
  return textKind('origin', must, value =>
    urlOf(value, ['http', 'https'])?.origin === value ? good(value) : bad(must),
  );
}

/** What a client sends as `Host`: a name or address, with or without port; compared in lower case. */
export function hostHeader(): Kind<string> {
  const must = 'must be a host name, with or without port';
  return textKind('host or host:port', must, value =>
    /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:\d{1,5})?$/.test(value) ? good(value.toLowerCase()) : bad(must),
  );
}

/** An e-mail address, in lower case. */
export function email(): Kind<string> {
  const must = 'must be an e-mail address';
  return textKind('e-mail address', must, value =>
    value.length <= 254 && /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(value) ? good(value.toLowerCase()) : bad(must),
  );
}

/** A time zone of the IANA database. */
export function zone(): Kind<string> {
  const must = 'must be a time zone such as Europe/Berlin';
  return textKind('IANA time zone', must, value => {
    try {
      // Offsets such as +01:00 are accepted by Intl as well; they are no zones and know no summer time.
      if (!/^[A-Za-z]/.test(value)) return bad(must);
      Intl.DateTimeFormat('en', { timeZone: value }).format(0);
      return good(value);
    } catch {
      return bad(must);
    }
  });
}
