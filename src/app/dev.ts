import { fileURLToPath } from 'node:url';
import { destination } from 'pino';
import { createLog, type Log } from '../kernel/log.ts';
import type { Settings } from '../kernel/settings/index.ts';
import type { ServeOptions } from './serve.ts';
import { startServer, type RunningServer } from './server.ts';
import { untilSignal } from './until-signal.ts';
import { welcome } from './welcome.ts';

export interface DevOptions extends ServeOptions {
  readonly tokens: { readonly mcp: string; readonly admin: string };
  /** Plant the demo pages in a data folder that has none. */
  readonly demo: boolean;
  /** Take a free port when the usual one is taken. */
  readonly anyPort: boolean;
}

const CORPUS = fileURLToPath(new URL('../../examples/corpus', import.meta.url));

/** Serves on this machine until Ctrl-C: a text for people on stdout, log lines of level warn on stderr. */
export async function dev({ settings, warnings, version, tokens, demo, anyPort }: DevOptions): Promise<void> {
  const { logLevel, logEnv } = settings.observability;
  const log = createLog({ level: logLevel, env: logEnv, version: settings.server.version }, destination(2));
  for (const { code, message } of warnings) log.warn({ code }, message);
  const seeded = demo ? withSeed(settings) : settings;
  const signal = untilSignal();
  const server = await startAnywhere(seeded, version, log, anyPort);
  process.stdout.write(welcome({ url: server.url, dataDir: settings.server.dataDir, token: tokens.mcp, demo }));
  await signal;
  process.stdout.write('Stopping …\n');
  await server.stop();
}

const withSeed = (settings: Settings): Settings => ({
  ...settings,
  server: { ...settings.server, seedDir: settings.server.seedDir ?? CORPUS },
});

async function startAnywhere(settings: Settings, version: string, log: Log, anyPort: boolean): Promise<RunningServer> {
  try {
    return await startServer({ settings, version, log });
  } catch (thrown) {
    if (!anyPort || (thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    return startServer({ settings: { ...settings, server: { ...settings.server, port: 0 } }, version, log });
  }
}
