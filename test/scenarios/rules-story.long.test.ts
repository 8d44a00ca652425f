import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Agent } from '../../examples/story/agent.ts';
import { startDev, type DevServer } from '../../examples/story/dev-server.ts';
import { EDITED, MAIL, NOT_SAID, OVERDRAWN, QUOTED } from '../../examples/story/rules-mail.ts';
import { CHROMIUM, openBrowser, SIZES } from '../approval/browser.ts';

if (CHROMIUM === undefined) process.stderr.write('the story is not played in a browser: there is no Chromium here\n');

describe.skipIf(CHROMIUM === undefined)('the story in Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-browser-story-'));
  const pictures = process.env['PICTURES'];
  let server: DevServer;
  let agent: Agent;
  let browser: Browser;
  let tab: Page;
  const said: string[] = [];

  beforeAll(async () => {
    server = await startDev(join(folder, 'data'));
    browser = await openBrowser();
    agent = await connect(server);
    tab = await (await browser.newContext({ locale: 'de-DE', viewport: SIZES.desktop })).newPage();
    tab.on('console', message => said.push(message.text()));
    tab.on('pageerror', error => said.push(error.message));
    await fetch(`${server.url}/v1/sources`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.api}`, 'content-type': 'application/json' },
      body: JSON.stringify(MAIL),
    });
  });
  afterAll(async () => {
    await agent.client.close();
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Keeps a picture of the page, at both sizes, where somebody asked for pictures. */
  async function picture(name: string): Promise<void> {
    if (pictures === undefined) return;
    for (const size of ['desktop', 'phone'] as const) {
      await tab.setViewportSize(SIZES[size]);
      await tab.screenshot({ path: join(pictures, `${name}-${size}.png`), fullPage: true });
    }
    await tab.setViewportSize(SIZES.desktop);
  }
  const propose = async (proposal: Record<string, unknown>): Promise<string> =>
    String((await agent.call('propose_rule', proposal))['approval_url']);

  test('the address that the agent got leads through the sign-in to the rule', async () => {
    const address = await propose(QUOTED);
    await tab.goto(address);
    await picture('1-login');
    await tab.locator('#token').fill(server.token);
    await tab.locator('main button').click();
    await expect.poll(() => tab.locator('[role=alert]').count()).toBe(1);
    await tab.locator('#token').fill(server.approval);
    await tab.locator('main button').click();
    expect(tab.url()).toBe(address);
    expect(await tab.locator('mark').allTextContents()).toEqual([QUOTED.source.quote]);
    await picture('2-rule');
  });

  test('the person confirms with another statement, and the agent finds that one', async () => {
    await tab.locator('#statement').fill(EDITED);
    await tab.locator('#confirm button').click();
    await expect.poll(() => tab.locator('h1').textContent()).toContain(EDITED);
    expect(await tab.locator('#confirm').count()).toBe(0);
    await picture('3-confirmed');
    const { bundles } = await agent.call('search_rules', { scopes: ['technik'], text: QUOTED.statement });
    const [first] = bundles as { head: { title: string; status: string } }[];
    expect(first!.head).toMatchObject({ title: EDITED, status: 'confirmed' });
  });

  test('the person rejects with a reason, and no agent reads that rule again', async () => {
    const address = await propose(OVERDRAWN);
    await tab.goto(address);
    await tab.locator('#reject textarea').fill(NOT_SAID);
    await tab.locator('#reject button').click();
    await expect.poll(() => tab.locator('main').textContent()).toContain(NOT_SAID);
    await picture('4-rejected');
    const ref = `rule/${address.split('/').at(-1)!}`;
    expect(await agent.refused('read_rule', { ref })).toMatchObject({ error: 'not-found' });
  });

  test('a rule that would replace another is shown beside it, and ends it', async () => {
    await tab.goto(`${server.url}/approval`);
    await picture('5-inbox');
    await tab.getByRole('link', { name: /fünf Stück im Jahr/ }).click();
    await picture('6-replacing');
    expect(await tab.locator('main').textContent()).toContain('14 Stück im Jahr');
    await tab.locator('#confirm button').click();
    await expect.poll(() => tab.locator('#confirm').count()).toBe(0);
    const { bundles } = await agent.call('search_rules', { scopes: ['technik'], text: 'Bedarf BR-220-0471 im Jahr' });
    const titles = (bundles as { head: { title: string } }[]).map(({ head }) => head.title);
    expect(titles[0]).toContain('fünf Stück im Jahr');
    expect(titles.filter(title => title.includes('14 Stück im Jahr'))).toEqual([]);
  });

  test('the browser had nothing to complain about', () => {
    expect(said.filter(line => !line.includes('401'))).toEqual([]);
  });
});
