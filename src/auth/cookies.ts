/** One cookie of this server, as header values. */
export interface CookieJar {
  /** A `Set-Cookie` value. `value` must be URL-safe text. */
  set(value: string, maxAgeSecs: number): string;
  clear(): string;
  /** Every value under this name in a `Cookie` header, as sent; more than one is suspicious. */
  read(header: string | undefined): readonly string[];
}

/**
 * By https the name has the prefix that no other host and no plain connection can set. By http, which is for loopback,
 * browsers would refuse that prefix.
 */
export function cookieJar(about: { name: string; sameSite: 'Strict' | 'Lax'; publicUrl: string }): CookieJar {
  const secure = about.publicUrl.startsWith('https:');
  const name = secure ? `__Host-${about.name}` : about.name;
  const attributes = `Path=/; HttpOnly; SameSite=${about.sameSite}${secure ? '; Secure' : ''}`;
  const set = (value: string, maxAgeSecs: number): string => `${name}=${value}; Max-Age=${maxAgeSecs}; ${attributes}`;
  return {
    set,
    clear: () => set('', 0),
    read: header =>
      (header ?? '')
        .split(';')
        .map(pair => pair.trim())
        .filter(pair => pair.startsWith(`${name}=`))
        .map(pair => pair.slice(name.length + 1)),
  };
}
