import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { Served } from '../machines/served-world.ts';

const named = process.env.SMART_FORK_TEST_BROWSER ?? '';
if (named !== '' && !existsSync(named)) throw new Error(`SMART_FORK_TEST_BROWSER: no such file: ${named}`);

/** Where Chromium usually is. */
const PLACES = [
  named,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

export const program = PLACES.find((place) => place !== '' && existsSync(place));

/** Why browser tests are skipped; null if there is a browser. */
export const noBrowser =
  program === undefined ? 'no Chromium found: install it, or set SMART_FORK_TEST_BROWSER' : null;

export interface Screen {
  width?: number;
  height?: number;
  theme?: 'light' | 'dark';
}

export interface SignedIn {
  browser: Browser;
  /** A window of a signed-in browser. `requests` has every request that it makes, `errors` every error of the page. */
  open(path: string, screen?: Screen): Promise<PageWindow>;
  close(): Promise<void>;
}

export interface PageWindow {
  page: Page;
  context: BrowserContext;
  requests: string[];
  errors: string[];
  close(): Promise<void>;
}

/** A browser that was signed in like `serve --open` does. */
export async function signIn({ url, ask }: Served): Promise<SignedIn> {
  if (program === undefined) throw new Error('no browser');
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  const { json } = await ask('/auth/code', { method: 'POST' });
  const first = await browser.newContext();
  const page = await first.newPage();
  await page.goto(`${url}/#code=${json.code}`);
  await page.getByRole('searchbox').waitFor();
  const storageState = await first.storageState();
  await first.close();
  return {
    browser,
    async open(path, { width = 1200, height = 900, theme = 'light' } = {}) {
      const context = await browser.newContext({
        storageState,
        viewport: { width, height },
        colorScheme: theme,
        locale: 'en-GB',
        timezoneId: 'UTC',
      });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
      return openWindow(context, url + path);
    },
    close: () => browser.close(),
  };
}

async function openWindow(context: BrowserContext, address: string): Promise<PageWindow> {
  const [requests, errors]: [string[], string[]] = [[], []];
  const page = await context.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, context, requests, errors, close: () => context.close() };
}

export function clipboard(page: Page): Promise<string> {
  // Passed as text, because the tests are compiled without a browser's types.
  return page.evaluate('navigator.clipboard.readText()');
}
