import type { Outgoing } from '../kernel/settings/index.ts';

/**
 * `fetch` for servers elsewhere, through the proxies of the environment (N077); what runs on this machine is asked directly where
 * the proxy does not run here as well. Without any proxy it is the global one and nothing is loaded. Errors of it name no proxy,
 * so no password of one.
 */
export async function outgoingFetch({ http, https, direct }: Outgoing): Promise<typeof globalThis.fetch> {
  if (http === null && https === null) return globalThis.fetch;
  const { Agent, Dispatcher, EnvHttpProxyAgent, fetch } = await import('undici');
  // Both are given, if empty: what is absent the agent looks up in the environment itself.
  const through = { httpProxy: '', httpsProxy: '', noProxy: direct, proxyTunnel: false };
  const straight = new Agent();
  // One agent a scheme: one for both would send https through the proxy for http, which other programs do not.
  const plain = http === null ? straight : new EnvHttpProxyAgent({ ...through, httpProxy: http });
  const secure = https === null ? straight : new EnvHttpProxyAgent({ ...through, httpsProxy: https });
  const [plainHere, secureHere] = [http, https].map(url => url !== null && isHere(new URL(url).hostname));
  class ByOrigin extends Dispatcher {
    override dispatch(...[options, handler]: Parameters<InstanceType<typeof Dispatcher>['dispatch']>): boolean {
      const { protocol, hostname } = new URL(String(options.origin));
      const [agent, reachesHere] = protocol === 'https:' ? [secure, secureHere] : [plain, plainHere];
      return (isHere(hostname) && !reachesHere ? straight : agent).dispatch(options, handler);
    }
  }
  const dispatcher = new ByOrigin();
  const ask = (input: string | URL, init?: object): Promise<unknown> => fetch(input, { ...init, dispatcher });
  return ask as typeof globalThis.fetch;
}

/** Loopback as a proxy elsewhere would find it is not what was meant. URLs write every form of 127.0.0.1 alike. */
const isHere = (hostname: string): boolean => /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
