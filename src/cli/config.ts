import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { describeValues, type Described } from '../kernel/settings/index.ts';
import { refuse } from './exit.ts';
import { settingsOfProcess } from './settings.ts';

/** `cairn config show|path|init`. */
export function configCommand(): Command {
  const config = new Command('config').description('look at the settings, or begin a configuration file');
  config
    .command('show')
    .description('print every setting, its value and where it comes from; secrets are hidden')
    .option('--json', 'print one JSON object')
    .action(({ json }: { readonly json?: true }) => show(json ?? false));
  config.command('path').description('print the path of the configuration file').action(path);
  config.command('init').description('write a small configuration file; never overwrites one').action(init);
  return config;
}

/** Shows values even when a start would be refused: that is when people look. The reasons follow on stderr, exit 1. */
function show(json: boolean): void {
  const reading = settingsOfProcess();
  const settings = describeValues(reading.values);
  const refusals = reading.ok ? [] : reading.refusals;
  const { config, warnings } = reading;
  if (json) process.stdout.write(`${JSON.stringify({ config, settings, warnings, refusals }, null, 2)}\n`);
  else process.stdout.write(settings.map(line).join(''));
  if (!json) for (const { code, message } of warnings) process.stderr.write(`warning: ${code}: ${message}\n`);
  if (refusals.length > 0) refuse(...refusals);
}

const line = ({ key, value, source }: Described): string => `${key} = ${value ?? '(not set)'}  [${source}]\n`;

function path(): void {
  const { config } = settingsOfProcess();
  process.stdout.write(`${config.path}\n`);
  if (!config.exists) process.stderr.write('this file is not there: variables and defaults are used\n');
}

/** What a person who starts from nothing has to decide. */
const FIRST = {
  server: { host: '127.0.0.1', port: 8080, data_dir: './data' },
  auth: { mode: 'dev-token' },
  dev: { identity: 'you@example.com' },
};

function init(): void {
  const { config } = settingsOfProcess();
  if (config.exists) {
    return refuse({ code: 'config-exists', message: `${config.path} is there already and stays as it is` });
  }
  try {
    writeFileSync(config.path, `${JSON.stringify(FIRST, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    return refuse({ code: 'config-not-written', message: (error as Error).message });
  }
  process.stdout.write(`${config.path}\n`);
  process.stderr.write('now set CAIRN_DEV_MCP_TOKEN to a secret of at least 32 characters and run: cairn serve\n');
}
