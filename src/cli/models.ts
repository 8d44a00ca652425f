import { resolve } from 'node:path';
import { Command } from 'commander';
import { inFolder, outgoingOf, type Outgoing } from '../kernel/settings/index.ts';
import { settingsOfProcess, withFlag } from './settings.ts';

interface Flags {
  readonly dataDir?: string;
  readonly json?: true;
}
interface AddFlags extends Flags {
  readonly name?: string;
}
interface GetFlags extends Flags {
  readonly file?: string;
}

/** `cairn models add|get`: brings a model into the data folder; a running server takes it at its next start or reload. */
export function modelsCommand(): Command {
  const models = new Command('models').description('models that turn text into vectors, in the data folder');
  const command = (usage: string, about: string): Command =>
    models
      .command(usage)
      .description(about)
      .option('--data-dir <folder>', 'where the server keeps everything (default: as in the settings, else ./data)')
      .option('--json', 'print the answer as JSON');
  command('add <folder>', 'copy a model from a folder with config.json, model.onnx and tokenizer.json')
    .option('--name <name>', 'what to call it, instead of what its config.json says')
    .action(add);
  command('get <name>', 'bring a model from the hub of the settings; goes on where it was interrupted')
    .option('--file <path>', 'the ONNX file of the model on the hub (default: model.onnx or onnx/model.onnx)')
    .action(get);
  return models;
}

async function add(folder: string, flags: AddFlags): Promise<void> {
  const { takeModel } = await import('../app/models.ts');
  tell(await takeModel(resolve(folder), settingsFor(flags).dataDir, flags.name ?? null), flags);
}

async function get(name: string, flags: GetFlags): Promise<void> {
  const { fetchModel } = await import('../app/models.ts');
  const from = { ...settingsFor(flags), file: flags.file ?? null };
  tell(await fetchModel(name, from, line => void process.stderr.write(`${line}\n`)), flags);
}

/** Values are read whatever else the settings say: whoever fetches a model need not have decided yet who may call the server. */
function settingsFor({ dataDir }: Flags): { dataDir: string; hubUrl: string; outgoing: Outgoing } {
  const { values } = settingsOfProcess(
    dataDir === undefined ? process.env : withFlag(process.env, 'server.data_dir', dataDir),
  );
  return {
    dataDir: inFolder(process.cwd(), values.get('server.data_dir')),
    hubUrl: values.get('embedding.hub_url').replace(/\/+$/, ''),
    outgoing: outgoingOf(values),
  };
}

interface Installed {
  readonly name: string;
  readonly folder: string;
  readonly digests: Readonly<Record<string, string>>;
}

function tell({ name, folder, digests }: Installed, { json }: Flags): void {
  if (json) return void process.stdout.write(`${JSON.stringify({ name, folder, sha256: digests })}\n`);
  process.stdout.write(
    `${name} is in ${folder}\nto use it: CAIRN_EMBEDDING_PROVIDER=local CAIRN_EMBEDDING_MODEL=${name}\n`,
  );
}
