import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDev, type DevServer } from '../../examples/story/dev-server.ts';
import { story, type StoryServer } from '../../examples/story/story.ts';

test('the main job, with the official client against the real command', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-story-'));
  let server: DevServer = await startDev(join(folder, 'data'));
  const steps: string[] = [];
  try {
    const restart = async (): Promise<StoryServer> => {
      await server.stop();
      server = await startDev(join(folder, 'data'));
      return { ...server, restart };
    };
    await story({ ...server, restart }, step => steps.push(step));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(steps).toHaveLength(9);
});
