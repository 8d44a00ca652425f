#!/usr/bin/env node
import { Command } from 'commander';
import { runToExit } from './exit.ts';

/** Each command comes from a file of its own, loaded when it is asked for. */
const COMMANDS = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  import: async () => (await import('./import.ts')).importCommand(),
  scope: async () => (await import('./scope.ts')).scopeCommand(),
  grant: async () => (await import('./grant.ts')).grantCommand(),
  models: async () => (await import('./models.ts')).modelsCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
  version: async () => (await import('./version.ts')).versionCommand(),
} satisfies Record<string, () => Promise<Command>>;

/** The commands that `words` may mean: those they name, or all, so that help and suggestions know every one. */
function wanted(words: readonly string[]): readonly (() => Promise<Command>)[] {
  const named = Object.entries(COMMANDS).filter(([name]) => words[0] === name);
  return (named.length > 0 ? named : Object.entries(COMMANDS)).map(([, load]) => load);
}

/** Errors are thrown, not exited on, so that usage errors end with the right code. */
function throwing(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(throwing);
  return command;
}

await runToExit(async () => {
  const given = process.argv.slice(2);
  const words = given[0] === '--version' || given[0] === '-V' ? ['version'] : given;
  const program = new Command('cairn').description(
    'A knowledge server for AI agents and the people who answer for them.',
  );
  for (const load of wanted(words)) program.addCommand(await load());
  await throwing(program).parseAsync(words, { from: 'user' });
});
