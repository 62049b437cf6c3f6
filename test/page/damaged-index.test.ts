import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { createWorld } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

describe.skipIf(noBrowser !== null)(inBrowser('an index of which no record can be read'), () => {
  const at = usePage(() => serveWorld([], createWorld()));

  it('is not called empty', { timeout: 60_000 }, async () => {
    const database = openDatabase(join(at.served.world.env.SMART_FORK_HOME ?? '', 'index.db'));
    database.exec("UPDATE sessions SET payload = 'x' || payload");
    database.close();
    const { page, close } = await at.browser.open('/');
    await page.getByText(/^No record of the \d+ indexed sessions can be read/).waitFor();
    expect(await page.getByText('Nothing is indexed yet').count()).toBe(0);
    await close();
  });
});
