import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright-core';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium of the machine; undefined where there is none. */
export const CHROMIUM = PLACES.find(place => place !== undefined && existsSync(place));

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });

export const SIZES = {
  desktop: { width: 1280, height: 900 },
  phone: { width: 360, height: 740 },
  /** What a desktop has left at 200 % zoom. */
  zoomed: { width: 640, height: 450 },
} as const;

/** Pixels by which a page is wider than the window. */
export const tooWide = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Faults of accessibility that axe calls serious or critical, one line each. */
export async function seriousFaults(page: Page): Promise<string[]> {
  const { violations, passes } = await new AxeBuilder({ page }).analyze();
  if (passes.length === 0) throw new Error('axe looked at nothing');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary}`),
    );
}
