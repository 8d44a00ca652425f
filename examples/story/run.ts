import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDev } from './dev-server.ts';
import { rulesStory } from './rules-story.ts';
import { story, type Say, type StoryServer } from './story.ts';

/** Plays both stories against one server in a temporary folder and prints every step. */
const folder = mkdtempSync(join(tmpdir(), 'cairn-story-'));
let server = await startDev(join(folder, 'data'));
let number = 0;
try {
  const restart = async (): Promise<StoryServer> => {
    await server.stop();
    server = await startDev(join(folder, 'data'));
    return { ...server, restart };
  };
  const say: Say = (step, found) => {
    process.stdout.write(`${String(++number).padStart(2)}. ${step}\n${found ? `    ${found}\n` : ''}`);
  };
  process.stdout.write('What an agent knows\n');
  await story({ ...server, restart }, say);
  process.stdout.write('\nWhat a person answers for\n');
  await rulesStory(server, say);
  process.stdout.write('The stories hold.\n');
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
