import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSlow } from '../support/campaign.ts';
import { CARDS, createWorld } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { usePage } from '../support/page/use-page.ts';

const FOLDER = join(import.meta.dirname, '../../docs/pictures');

/** The README's pictures, taken with the sample sessions. */
describe.skipIf(noBrowser !== null || !isSlow)('the pictures in the README', () => {
  const at = usePage(async () => {
    const world = createWorld();
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 2.1.329\n', { mode: 0o755 });
    world.env.PATH = `${bin}${delimiter}${world.env.PATH}`;
    return serveWorld([], world);
  });

  const pictures = [
    ['page-search', '/?q=token+usage+cards+on+the+dashboard', '.result', 'light'],
    ['page-session', `/session/${CARDS}?q=token+cards`, '.tool-line', 'dark'],
    ['page-fork', `/session/${CARDS}?turn=1&fork=1`, '.checks', 'light'],
  ] as const;

  it.each(pictures)('shows %s in the README’s picture', async (name, address, shown, theme) => {
    const { page, errors, close } = await at.browser.open(address, { width: 980, height: 560, theme });
    await page.locator(shown).first().waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    if (name === 'page-session') await page.locator('.tool-line:has(.tool-change)').first().click();
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    expect(errors).toEqual([]);
    await close();
  });
});
