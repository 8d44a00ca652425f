import { readFileSync } from 'node:fs';
import { Command } from 'commander';

/** The version of this package; sources and build lie equally deep below package.json. */
export function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

/** `cairn version`: the bare version on stdout. */
export function versionCommand(): Command {
  return new Command('version')
    .description('print the version')
    .action(() => void process.stdout.write(`${packageVersion()}\n`));
}
