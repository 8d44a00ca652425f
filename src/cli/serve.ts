import { Command } from 'commander';
import { refuse } from './exit.ts';
import { settingsOfProcess } from './settings.ts';
import { packageVersion } from './version.ts';

/** `cairn serve`: the strict form; everything comes from the environment and the configuration file. */
export function serveCommand(): Command {
  return new Command('serve').description('start the server from its settings').action(async () => {
    const reading = settingsOfProcess();
    if (!reading.ok) return refuse(...reading.refusals);
    const { serve } = await import('../app/serve.ts');
    await serve({ settings: reading.settings, warnings: reading.warnings, version: packageVersion() });
  });
}
