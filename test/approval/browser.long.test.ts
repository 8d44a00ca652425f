import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, openBrowser, seriousFaults, SIZES, tooWide } from './browser.ts';
import { scene, type SceneRule } from './scene.ts';
import { ANNA, TOKEN, world, type World } from './world.ts';

if (CHROMIUM === undefined) process.stderr.write('the approval pages are not looked at: there is no Chromium here\n');

describe.skipIf(CHROMIUM === undefined)('in Chromium', () => {
  let browser: Browser;
  let here: World;
  let ids: Record<SceneRule, string>;
  let context: BrowserContext;
  let tab: Page;
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser.close());
  beforeEach(async () => {
    here = await world();
    ids = await scene(here);
  });
  afterEach(async () => {
    await context.close();
    await here.end();
  });

  async function open(options: Parameters<Browser['newContext']>[0] = {}): Promise<string[]> {
    context = await browser.newContext({ locale: 'en-GB', viewport: SIZES.desktop, ...options });
    tab = await context.newPage();
    const said: string[] = [];
    tab.on('console', message => said.push(message.text()));
    tab.on('pageerror', error => said.push(error.message));
    tab.on('dialog', dialog => {
      said.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return said;
  }
  async function signIn(path = '/approval'): Promise<void> {
    await tab.goto(`${here.url}${path}`);
    await tab.getByLabel(/token/i).fill(TOKEN);
    await tab.locator('main button').click();
  }
  const rulePage = (name: SceneRule): string => `${here.url}/approval/rules/${ids[name]}`;
  const statusOf = (name: SceneRule): unknown =>
    here.rules.rows('sales', `SELECT status FROM current_version WHERE rule_id = '${ids[name]}'`)[0]!['status'];

  test('[AP49] without script: sign in, filter, confirm with a change, reject, sign out', async () => {
    await open({ javaScriptEnabled: false });
    await signIn(`/approval/rules/${ids.meeting}`);
    expect(tab.url()).toBe(rulePage('meeting'));
    await tab.getByRole('link', { name: 'Inbox' }).click();
    await tab.getByLabel('Words in the statement or quote').fill('glas');
    await tab.getByLabel('Scope').selectOption('sales');
    await tab.getByRole('button', { name: 'Filter' }).click();
    expect(await tab.locator('.card').count()).toBe(1);
    await tab.getByRole('link', { name: 'Glas ab 8 mm' }).click();
    expect(await tab.locator('mark').first().textContent()).toContain('Glas ab 8 mm wird nur noch');
    await tab.getByLabel('Statement').fill('Glas ab 8 mm wird nur in der verstärkten Kiste verschickt.');
    await tab.getByLabel('Remark').fill('Kürzer gesagt.');
    await tab.getByRole('button', { name: 'Confirm' }).click();
    expect(tab.url()).toBe(rulePage('replacing'));
    expect(await tab.getByRole('status').textContent()).toContain(`Confirmed by ${ANNA}`);
    expect(await tab.locator('.history .changes').allTextContents()).toEqual([
      expect.stringContaining('Statement before:'),
    ]);
    expect(
      here.rules.rows(
        'sales',
        `SELECT statement, keywords, said_at, valid_from, speaker, reason FROM current_version WHERE rule_id = '${ids.replacing}'`,
      ),
    ).toEqual([
      {
        statement: 'Glas ab 8 mm wird nur in der verstärkten Kiste verschickt.',
        keywords: '["Glas","Kiste","Verpackung"]',
        said_at: '2026-03-04T07:12:00Z',
        valid_from: '2026-05-01',
        speaker: 'Jörg Größlich',
        reason: 'Kürzer gesagt.',
      },
    ]);
    expect(statusOf('old')).toBe('superseded');
    await tab.goto(rulePage('own'));
    await tab.getByLabel('Reason').fill('Four times a year.');
    await tab.getByRole('button', { name: 'Reject' }).click();
    expect(await tab.getByRole('status').textContent()).toContain('Four times a year.');
    expect(statusOf('own')).toBe('rejected');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    expect(await tab.getByRole('status').textContent()).toContain('You are signed out.');
    await tab.goto(rulePage('meeting'));
    expect(new URL(tab.url()).pathname).toBe('/approval/login');
  });

  test('[AP22, AP49] a form that has become stale is refused, and what is shown instead is current', async () => {
    await open();
    await signIn();
    await tab.goto(rulePage('meeting'));
    const other = await context.newPage();
    await other.goto(rulePage('meeting'));
    await other.getByRole('button', { name: 'Confirm' }).click();
    await tab.getByLabel('Reason').fill('Too late.');
    await tab.getByRole('button', { name: 'Reject' }).click();
    expect(await tab.locator('main').textContent()).toMatch(/This (has been decided|has changed)|It has changed/);
    expect(statusOf('meeting')).toBe('confirmed');
    await tab.getByRole('link', { name: 'Show it as it is now' }).click();
    expect(tab.url()).toBe(rulePage('meeting'));
    expect(await tab.getByRole('button', { name: 'Reject' }).count()).toBe(0);
  });

  test('[AP30, AP35, AP49] without script: find what is due, say that it holds, revoke another, look at what was rejected', async () => {
    await open({ javaScriptEnabled: false });
    here.rules.pass(200 * 86_400_000);
    await signIn();
    await tab.getByRole('link', { name: 'to check' }).first().click();
    expect(await tab.locator('.card').count()).toBe(2);
    await tab.getByRole('link', { name: 'Offers are valid for thirty days' }).click();
    expect(await tab.getByRole('note').first().textContent()).toContain('Still valid?');
    await tab.getByLabel('Keywords').fill('offer, thirty days');
    await tab.getByRole('button', { name: 'It still holds' }).click();
    expect(await tab.getByRole('status').textContent()).toContain(`Reviewed by ${ANNA}`);
    expect(await tab.getByRole('note').count()).toBe(0);
    await tab.goto(rulePage('old'));
    await tab.getByLabel('No longer holds from').fill('2026-12-31');
    await tab.getByLabel('Reason').fill('Glas wird nicht mehr verschickt.');
    await tab.getByRole('button', { name: 'Revoke' }).click();
    expect(await tab.getByRole('status').textContent()).toContain(`Revoked by ${ANNA}`);
    expect(statusOf('old')).toBe('superseded');
    await tab.getByRole('link', { name: 'Rejected' }).first().click();
    await tab.getByLabel('Words in statement').fill('kisten niemand');
    await tab.getByRole('button', { name: 'Filter' }).click();
    await tab.getByRole('link', { name: 'Glas wird gar nicht mehr' }).click();
    expect(tab.url()).toBe(rulePage('refused'));
    await tab.getByRole('link', { name: 'Search' }).click();
    await tab.getByLabel('Question or words').fill('Glas in der Kiste');
    await tab.getByRole('button', { name: 'Search' }).click();
    expect(await tab.locator('.card').count()).toBeGreaterThan(1);
  });

  test('[AP31, AP49] without script: relations and the rule to be replaced are edited', async () => {
    await open({ javaScriptEnabled: false });
    await signIn(`/approval/rules/${ids.replacing}`);
    await tab.getByLabel('Name of relation 1').fill('');
    await tab.getByLabel('Kind of relation 3').selectOption('customer');
    await tab.getByLabel('Name of relation 3').fill('Glaserei Öztürk');
    await tab.getByLabel('Replaces').fill('');
    await tab.getByRole('button', { name: 'Confirm' }).click();
    const [now] = here.rules.rows(
      'sales',
      `SELECT relations, supersedes FROM current_version WHERE rule_id = '${ids.replacing}'`,
    );
    expect(JSON.parse(now!['relations'])).toEqual([
      { kind: 'supplier', name: 'Kistenbau Müller & Söhne', ref: null },
      { kind: 'customer', name: 'Glaserei Öztürk', ref: null },
    ]);
    expect([now!['supersedes'], statusOf('old')]).toEqual([null, 'confirmed']);
  });

  test('[AP24, AP49] a form that does not fit comes back with what was typed, and is sent again', async () => {
    await open({ javaScriptEnabled: false });
    await signIn(`/approval/rules/${ids.own}`);
    await tab.getByLabel('Keywords').fill('x');
    await tab.getByLabel('Speaker').fill('Änne');
    await tab.getByRole('button', { name: 'Confirm' }).click();
    await tab.getByRole('alert').getByRole('link', { name: 'Keywords' }).click();
    expect(await tab.getByLabel('Keywords').inputValue()).toBe('x');
    expect(await tab.getByLabel('Speaker').inputValue()).toBe('Änne');
    await tab.getByLabel('Keywords').fill('colour card, sample');
    await tab.getByRole('button', { name: 'Confirm' }).click();
    expect(await tab.getByRole('status').textContent()).toContain('Confirmed by');
  });

  test('[AP43, AP44, AP49] hostile text stays text', async () => {
    const said = await open();
    await signIn();
    await tab.goto(rulePage('hostile'));
    expect(await tab.locator('main script, main img, main iframe').count()).toBe(0);
    expect(await tab.locator('h1').textContent()).toBe(
      'Always <script>alert(1)</script><img src=x onerror=alert(2)> ⟪/gn:0⟫ U+202Egnp.exe first',
    );
    const mark = await tab.locator('mark').allTextContents();
    expect(mark).toEqual([expect.stringMatching(/^from now on <script>.*applies$/)]);
    const speaker = await tab.getByLabel('Speaker').inputValue();
    expect(speaker).toContain('\u202egnp.exe');
    await tab.getByRole('button', { name: 'Confirm' }).click();
    expect(await tab.getByRole('status').textContent()).toContain('Confirmed by');
    expect(said).toEqual([]);
  });

  test('[AP41, AP49] a mail is read as it was received', async () => {
    await open();
    await signIn();
    await tab.goto(`${rulePage('rtl')}`);
    const text = await tab.locator('.source.mail .foreign').textContent();
    expect(text).toBe('مرحبا،\nمن الآن فصاعدا نطلب تأكيد موعد التسليم كتابيا قبل كل طلب.\nشكرا');
    const lines = await tab.evaluate<number>(`(() => {
      const node = document.querySelector('.source.mail .foreign');
      return Math.round(node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight));
    })()`);
    expect(lines).toBe(3);
    const direction = await tab.evaluate<string>("getComputedStyle(document.querySelector('h1')).direction");
    expect(direction).toBe('rtl');
  });

  test('[AP16, AP49] from a page of another site one arrives signed in', async () => {
    await open();
    await signIn();
    const elsewhere = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<a href="${rulePage('meeting')}">decide</a>`);
    });
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve));
    await tab.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
    await tab.getByRole('link', { name: 'decide' }).click();
    await tab.getByRole('heading', { name: 'In die Schweiz liefern wir' }).waitFor();
    expect(tab.url()).toBe(rulePage('meeting'));
    elsewhere.closeAllConnections();
    await new Promise(resolve => elsewhere.close(resolve));
  });

  test('[AP20, AP49] a page of another site decides nothing, with the cookie of the person in the same browser', async () => {
    await open();
    await signIn();
    const page = await (await fetch(rulePage('own'), { headers: { cookie: here.cookieOf(ANNA) } })).text();
    const form = /<form[^>]*id="confirm"[\s\S]*?<\/form>/.exec(page)![0].replace('action="', `action="${here.url}`);
    const elsewhere = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(form);
    });
    await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve));
    for (const host of ['localhost', '127.0.0.1']) {
      await tab.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`);
      await tab.getByRole('button', { name: 'Confirm' }).click();
      await tab.getByText('This did not work').waitFor();
    }
    expect(statusOf('own')).toBe('proposed');
    elsewhere.closeAllConnections();
    await new Promise(resolve => elsewhere.close(resolve));
  });

  test('[AP49] the keyboard goes through a page in the order in which it is read', async () => {
    await open();
    await signIn();
    await tab.goto(rulePage('own'));
    const order: string[] = [];
    for (let n = 0; n < 60; n++) {
      await tab.keyboard.press('Tab');
      order.push(
        await tab.evaluate<string>(`(() => {
        const at = document.activeElement;
        return (at.labels?.[0]?.textContent ?? at.textContent).trim();
      })()`),
      );
    }
    const distinct = order.filter((name, index) => name !== order[index - 1]);
    expect(distinct.slice(0, 7)).toEqual([
      'Skip to the content',
      expect.stringContaining('Cairn'),
      'Inbox',
      'Still valid?',
      'Search',
      'Rejected',
      'Sign out',
    ]);
    const fields = [
      'Statement',
      'Rule',
      'Keywords',
      'Holds from',
      'Said on',
      'Speaker',
      'Replaces',
      'Remark',
      'Confirm',
      'Reason',
      'Reject',
    ];
    expect(distinct.filter(name => fields.includes(name)).slice(0, fields.length)).toEqual(fields);
    await tab.goto(rulePage('own'));
    await tab.keyboard.press('Tab');
    expect(
      await tab.evaluate<number>("document.querySelector('.skip').getBoundingClientRect().top"),
    ).toBeGreaterThanOrEqual(0);
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Tab');
    expect(await tab.evaluate<boolean>('document.querySelector("main").contains(document.activeElement)')).toBe(true);
  });

  const looks = [
    { size: 'desktop', viewport: SIZES.desktop, colorScheme: 'light', asked: true },
    { size: 'phone', viewport: SIZES.phone, colorScheme: 'dark', asked: true },
    // What axe says depends on the colours, not on the width.
    { size: 'zoomed', viewport: SIZES.zoomed, colorScheme: 'light', asked: false },
  ] as const;
  test.each(looks)(
    '[AP49] every page at $size width, $colorScheme: nothing cut off, nothing serious for axe',
    async ({ size, viewport, colorScheme, asked }) => {
      await open({ viewport, colorScheme, locale: colorScheme === 'dark' ? 'en-GB' : 'de-DE' });
      const kept = process.env['CAIRN_SHOTS'];
      const faults: string[] = [];
      async function look(name: string): Promise<void> {
        if (kept) await tab.screenshot({ path: join(kept, `${name}-${size}-${colorScheme}.png`), fullPage: true });
        const wide = await tooWide(tab);
        if (wide > 0) faults.push(`${name}: ${wide} px too wide`);
        if (asked) faults.push(...(await seriousFaults(tab)).map(fault => `${name}: ${fault}`));
      }
      await tab.goto(`${here.url}/approval`);
      await look('login');
      await tab.locator('#token').fill('wrong');
      await tab.locator('main button').click();
      await look('login-wrong');
      await tab.locator('#token').fill(TOKEN);
      await tab.locator('main button').click();
      await look('inbox');
      for (const name of Object.keys(ids) as SceneRule[]) {
        await tab.goto(rulePage(name));
        await look(name);
      }
      await tab.goto(rulePage('own'));
      await tab.locator('#keywords').fill('x');
      await tab.locator('#confirm button').click();
      await look('refused-form');
      for (const [name, path] of [
        ['rejected', '/approval/rejected?scope=sales'],
        ['search', '/approval/search'],
        ['search-found', '/approval/search?text=Glas+in+der+Kiste'],
        ['search-none', '/approval/search?text=xyzzy'],
      ] as const) {
        await tab.goto(`${here.url}${path}`);
        await look(name);
      }
      here.rules.pass(200 * 86_400_000);
      await tab.goto(`${here.url}/approval`);
      await tab.locator('#token').fill(TOKEN);
      await tab.locator('main button').click();
      await look('inbox-due');
      await tab.goto(`${here.url}/approval/recheck`);
      await look('recheck');
      await tab.goto(rulePage('decided'));
      await look('due');
      await tab.goto(`${here.url}/approval?text=xyzzy`);
      await look('inbox-empty');
      await tab.goto(`${here.url}/approval/rules/sales-9999`);
      await look('error');
      await tab.goto(`${here.url}/approval/login?out=1`);
      await look('signed-out');
      expect(faults).toEqual([]);
    },
  );
});
