import { join } from 'node:path';
import { claimSocket } from '../http/ops-socket/index.ts';
import { createLog } from '../kernel/log.ts';
import type { Settings, Warning } from '../kernel/settings/index.ts';
import { logLines } from './log-lines.ts';
import { startServer } from './server.ts';
import { untilSignal } from './until-signal.ts';

export interface ServeOptions {
  readonly settings: Settings;
  readonly warnings: readonly Warning[];
  readonly version: string;
}

/** Serves until SIGINT or SIGTERM, logging JSON lines to stdout (E704, E707). */
export async function serve({ settings, warnings, version }: ServeOptions): Promise<void> {
  const { logLevel, logEnv } = settings.observability;
  const log = createLog({ level: logLevel, env: logEnv, version: settings.server.version }, logLines(1));
  for (const { code, message } of warnings) log.warn({ code }, message);
  // Heard from before the start on: whoever is told that the server listens may stop it in the same moment.
  const signal = untilSignal();
  const server = await startServer({ settings, version, log }).catch(thrown => inTheWordsOfRules(thrown, settings));
  const metrics = server.metricsUrl === undefined ? {} : { metrics: new URL(server.metricsUrl).host };
  log.info(metrics, `the server listening http=${new URL(server.url).host}`);
  log.info({ signal: await signal }, 'the server stopping');
  await server.stop();
}

/** A folder that another server of rules holds is refused by its socket, as the contract of the rules says (3). */
async function inTheWordsOfRules(thrown: unknown, { rules, server }: Settings): Promise<never> {
  const locked = thrown instanceof Error && (thrown as { readonly code?: unknown }).code === 'data-folder-locked';
  if (locked && rules) await claimSocket(join(server.dataDir, 'ops.sock'));
  throw thrown;
}
