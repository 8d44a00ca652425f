import { fileURLToPath } from 'node:url';
import { destination } from 'pino';
import { createLog } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import { openScopesFor, seedDemoRules } from './demo-rules.ts';
import { bringsRules, withDevRules, type DevSecrets } from './dev-rules.ts';
import { freePort } from './free-port.ts';
import type { ServeOptions } from './serve.ts';
import { startServer, type ServerOptions } from './server.ts';
import { untilSignal } from './until-signal.ts';
import { welcome, type ApprovalNotice } from './welcome.ts';

export interface DevOptions extends ServeOptions {
  readonly tokens: DevSecrets & { readonly mcp: string };
  /** Plant the demo pages and rules in a data folder that has none. */
  readonly demo: boolean;
  /** Take a free port when the usual one is taken. */
  readonly anyPort: boolean;
}

const CORPUS = fileURLToPath(new URL('../../examples/corpus', import.meta.url));
const RULES = fileURLToPath(new URL('../../examples/rules', import.meta.url));

/** Serves on this machine until Ctrl-C: a text for people on stdout, log lines of level warn on stderr. */
export async function dev({ settings: given, warnings, version, tokens, demo, anyPort }: DevOptions): Promise<void> {
  const { logLevel, logEnv } = given.observability;
  const log = createLog({ level: logLevel, env: logEnv, version: given.server.version }, destination(2));
  for (const { code, message } of warnings) log.warn({ code }, message);
  const signal = untilSignal();
  const { dataDir, host } = given.server;
  // Forms are taken from the address that is announced, so the port must be known before anything is built.
  const port = await freePort(host, given.server.port, anyPort);
  const settings = bringsRules(given)
    ? withDevRules(given, tokens, port)
    : { ...given, server: { ...given.server, port } };
  const server = await startServer({
    settings: demo ? withSeed(settings) : settings,
    version,
    log,
    ...(bringsRules(given) && { prepareRules: preparing(settings, version, demo) }),
  });
  const approval = noticeOf(settings, demo && bringsRules(given));
  const meaning = await server.meaning();
  process.stdout.write(
    welcome({ url: server.url, dataDir, token: tokens.mcp, demo, meaning, ...(approval && { approval }) }),
  );
  await signal;
  process.stdout.write('Stopping …\n');
  await server.stop();
}

const withSeed = (settings: Settings): Settings => ({
  ...settings,
  server: { ...settings.server, seedDir: settings.server.seedDir ?? CORPUS },
});

function preparing({ auth }: Settings, version: string, demo: boolean): NonNullable<ServerOptions['prepareRules']> {
  const identity = auth.mode === 'dev-token' ? auth.dev.identity : '';
  return async rules => {
    await openScopesFor(rules, identity);
    if (demo) await seedDemoRules(rules, { folder: RULES, identity, version });
  };
}

/** Where a person of this machine decides about rules, and what they and their programs sign in with. */
function noticeOf({ auth, rules }: Settings, demo: boolean): ApprovalNotice | undefined {
  if (!rules || auth.mode !== 'dev-token') return undefined;
  const { apiToken, approvalToken } = auth.dev;
  return { publicUrl: rules.publicUrl, approvalToken: approvalToken!, apiToken: apiToken!, demo };
}
