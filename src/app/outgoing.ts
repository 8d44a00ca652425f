import type { Outgoing } from '../kernel/settings/index.ts';

/**
 * `fetch` for servers elsewhere, through the proxies of the environment (N077). Without any it is the global one and nothing is
 * loaded. Errors of it name no proxy, so no password of one.
 */
export async function outgoingFetch({ http, https, direct }: Outgoing): Promise<typeof globalThis.fetch> {
  if (http === null && https === null) return globalThis.fetch;
  const { Dispatcher, EnvHttpProxyAgent, fetch } = await import('undici');
  const agent = (httpProxy: string | null, httpsProxy: string | null): InstanceType<typeof EnvHttpProxyAgent> =>
    // Empty, not absent: what is absent the agent looks up in the environment itself.
    new EnvHttpProxyAgent({
      httpProxy: httpProxy ?? '',
      httpsProxy: httpsProxy ?? '',
      noProxy: direct,
      proxyTunnel: false,
    });
  const plain = agent(http, null);
  // Without a proxy of its own the agent would send https through that for http, which other programs do not.
  const secure = https === null ? agent(null, null) : agent(null, https);
  class ByScheme extends Dispatcher {
    override dispatch(...[options, handler]: Parameters<InstanceType<typeof Dispatcher>['dispatch']>): boolean {
      return (String(options.origin).startsWith('https:') ? secure : plain).dispatch(options, handler);
    }
  }
  const dispatcher = new ByScheme();
  const through = (input: string | URL, init?: object): Promise<unknown> => fetch(input, { ...init, dispatcher });
  return through as typeof globalThis.fetch;
}
