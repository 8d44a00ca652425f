import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDev } from '../../examples/story/dev-server.ts';
import { rulesStory } from '../../examples/story/rules-story.ts';

test('a quote becomes a rule: official client, real forms, the real command', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-rules-story-'));
  const server = await startDev(join(folder, 'data'));
  const steps: string[] = [];
  try {
    await rulesStory(server, step => steps.push(step));
    await expect(rulesStory(server, () => {})).rejects.toThrow('the mail is stored: 200');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  expect(steps).toHaveLength(12);
});
