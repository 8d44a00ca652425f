import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDev } from './dev-server.ts';
import { story, type StoryServer } from './story.ts';

/** Plays the story against a server in a temporary folder and prints every step. */
const folder = mkdtempSync(join(tmpdir(), 'cairn-story-'));
let server = await startDev(join(folder, 'data'));
let number = 0;
try {
  const restart = async (): Promise<StoryServer> => {
    await server.stop();
    server = await startDev(join(folder, 'data'));
    return { ...server, restart };
  };
  await story({ ...server, restart }, (step, found) => {
    process.stdout.write(`${String(++number).padStart(2)}. ${step}\n${found ? `    ${found}\n` : ''}`);
  });
  process.stdout.write('The story holds.\n');
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
