import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSlow } from '../support/campaign.ts';
import { CARDS } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser, type Screen } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Each view, and what it contains once it has loaded. */
const VIEWS: Record<string, [address: string, shown: string]> = {
  newest: ['/', '.row'],
  search: ['/?q=token+usage+cards+dashboard&repo=harbor-dashboard', '.result'],
  nothing: ['/?q=zzzqqq&repo=nowhere', '.state'],
  reader: [`/session/${CARDS}?q=cards`, '.prompt'],
  fork: [`/session/${CARDS}?fork=1`, '.checks'],
  files: [`/session/${CARDS}/files`, '.diff, .state'],
  forks: [`/session/${CARDS}/forks`, '.tree li'],
  activity: ['/activity?days=365', '.day, .state'],
  pastForks: ['/activity?by=fork', '.edited, .state'],
  edited: ['/activity?by=file', '.edited, .state'],
  memory: ['/memory', '.list, .state'],
  topics: ['/memory?kind=topics&repo=*', '.idea strong'],
  usage: ['/usage', '.totals, .state'],
  state: ['/state?settings=all', '.part:nth-of-type(4) table'],
  help: ['/?', '.row'],
};

const SCREENS: Screen[] = [360, 900, 1600].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme, height: width === 360 ? 740 : 1000 })),
);

describe.skipIf(noBrowser !== null)(inBrowser('every view'), () => {
  const at = usePage(() => serveWorld());

  // A single screen in a quick run; the slow run takes pictures of all six.
  const screens = isSlow ? SCREENS : SCREENS.filter(({ width, theme }) => width === 360 && theme === 'dark');

  it.each(screens)(
    'has no accessibility violations, no overflow and no error at $width px, $theme',
    { timeout: 180_000 },
    async (screen) => {
      const found: string[] = [];
      for (const [name, [address, shown]] of Object.entries(VIEWS)) {
        const { page, errors, close } = await at.browser.open(address, screen);
        await page.locator(shown).first().waitFor();
        if (name === 'help') await page.keyboard.press('?');
        await page.evaluate(axe);
        const violations = await page.evaluate<string[]>(RUN_AXE);
        const tooWide = await page.evaluate<string[]>(TOO_WIDE);
        found.push(...[...violations, ...tooWide, ...errors].map((text) => `${name}: ${text}`));
        if (isSlow) await page.screenshot({ path: pictureOf(name, screen) });
        await close();
      }
      expect(found).toEqual([]);
    },
  );
});

const RUN_AXE = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + ' ' + failureSummary)))`;

/** Elements wider than the screen, except those that scroll, and the lines of the tree, which are clipped. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && element.closest('nav, table, pre, .diff, .table, .tree') === null)
  .map((element) => 'too wide: ' + element.outerHTML.slice(0, 120))`;

function pictureOf(name: string, { width, theme }: Screen): string {
  const folder = join(import.meta.dirname, '../../coverage/page');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}-${width}-${theme}.png`);
}
