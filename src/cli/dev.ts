import { Command, InvalidArgumentError } from 'commander';
import { refuse } from './exit.ts';
import { devEnvironment, devTokens } from './dev-environment.ts';
import { dataDirOf, settingsOfProcess } from './settings.ts';
import { packageVersion } from './version.ts';

interface DevOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly demo: boolean;
}

/** `cairn dev`: no configuration, loopback only, tokens of its own and, in a new data folder, a demo corpus. */
export function devCommand(): Command {
  return new Command('dev')
    .description('start on this machine with demo pages and generated tokens')
    .option('--data-dir <folder>', 'where everything is kept (default: as in the settings, else ./data)')
    .option('--port <number>', 'port on 127.0.0.1 (default: 8080, or a free one when that is taken)', portOf)
    .option('--no-demo', 'leave a new data folder without the demo pages')
    .action(async (options: DevOptions) => {
      const { port, demo, dataDir = dataDirOf(process.env) } = options;
      const tokens = devTokens(dataDir);
      const environment = devEnvironment(process.env, { dataDir, tokens, ...(port === undefined ? {} : { port }) });
      const reading = settingsOfProcess(environment);
      if (!reading.ok) return refuse(...reading.refusals);
      const { dev } = await import('../app/dev.ts');
      const { settings, warnings } = reading;
      await dev({ settings, warnings, version: packageVersion(), tokens, demo, anyPort: port === undefined });
    });
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('a number from 0 to 65535');
  return port;
}
