import { describe, expect, it } from 'vitest';
import { CARDS } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { clipboard, noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

describe.skipIf(noBrowser !== null)(inBrowser('the page in a browser'), () => {
  const at = usePage(() => serveWorld());

  it('leads from a search to a copied fork command with only the keyboard', async () => {
    const { page, errors, close } = await at.browser.open('/');
    await page.getByRole('searchbox').waitFor();
    // While the words are being typed, the page shows results for the first of them.
    const answered = page.waitForResponse((response) => response.url().includes('dashboard'));
    await page.keyboard.type('token usage cards dashboard');
    await answered;
    await page.locator('.results[aria-busy=false]', { hasText: 'keyword search' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(new URL(page.url()).searchParams.get('q')).toBe('token usage cards dashboard');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/session/${CARDS}*`);
    await page.getByRole('article', { name: 'Turn 1' }).locator('.prompt').waitFor();
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByText('Fork from turn').waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => clipboard(page)).toContain(CARDS);
    expect(await clipboard(page)).toMatch(/--at \d+ --exec|--fork-session/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it('opens the first result with Enter, even before the answer to the last word', async () => {
    const { page, errors, close } = await at.browser.open('/');
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.type('token usage cards dashboard');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/session/${CARDS}?q=token+usage+cards+dashboard*`);
    expect(errors).toEqual([]);
    await close();
  });

  it('types the very next key after / into the search field', async () => {
    const { page, close } = await at.browser.open('/');
    await page.getByRole('searchbox').waitFor();
    const focused = await page.evaluate(`
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
        document.activeElement.id;
      `);
    expect(focused).toBe('query');
    await close();
  });

  it('edits a session’s tags, note and star with the keyboard', async () => {
    const { page, errors, close } = await at.browser.open(`/session/${CARDS}`);
    await page.getByRole('button', { name: 'Edit tags and note' }).waitFor();
    await page.keyboard.press('e');
    await page.getByRole('textbox', { name: 'Tags' }).fill('dashboards, charts');
    await page.getByRole('textbox', { name: 'Note' }).fill('Cards by model');
    await page.keyboard.press('Enter');
    await page.locator('.tag', { hasText: 'charts' }).waitFor();
    await page.getByText('Cards by model').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('*');
    await page.getByRole('button', { name: 'Star', pressed: true }).waitFor();
    const { json } = await at.served.ask(`/api/v1/sessions/${CARDS}`);
    expect(json.session).toMatchObject({
      starred: true,
      note: 'Cards by model',
      tags: ['charts', 'dashboards'],
    });
    expect(errors).toEqual([]);
    await close();
  });

  it('copies the command that the command line prints for a result', async () => {
    const { page, close } = await at.browser.open('/?q=token+usage+cards+dashboard&sel=1');
    await page.getByRole('button', { name: 'Copy fork command' }).first().click();
    const printed = await at.served.world.run(
      'search',
      'token',
      'usage',
      'cards',
      'dashboard',
      '--json',
      '--everywhere',
    );
    const [first] = JSON.parse(printed).results;
    await expect.poll(() => clipboard(page)).toBe(first.fork_command);
    await close();
  });

  it('keeps the list beside a session as it was, and does not count what the page searches for', async () => {
    const count = async () =>
      JSON.parse(await at.served.world.run('stats', '--searches', '--json')).searches.searches;
    const before = await count();
    const screen = { width: 1600, height: 1000, theme: 'light' } as const;
    const { page, close } = await at.browser.open('/?q=token+usage&literal=1&everywhere=1&pages=2', screen);
    const first = page.locator('.result').first();
    await first.getByText(CARDS.slice(0, 8)).waitFor();
    await first.getByRole('link').first().click();
    await page.waitForURL('**/session/**');
    const list = page.getByRole('navigation', { name: 'Results' });
    for (const link of [list.locator('.back'), list.locator('a[aria-current=true]')]) {
      const address = new URL((await link.getAttribute('href')) ?? '', at.served.url);
      expect(Object.fromEntries(address.searchParams)).toMatchObject({
        q: 'token usage',
        literal: '1',
        everywhere: '1',
        pages: '2',
      });
    }
    await close();
    expect(await count()).toBe(before);
    await at.served.ask('/api/v1/search?q=token+usage');
    expect(await count()).toBe(before + 1);
  });

  it('keeps its state in the URL, so that Back and a reload restore it', async () => {
    const { page, close } = await at.browser.open('/?q=cards');
    await page.getByRole('button', { name: /harbor-dashboard/ }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('repo')).toBe('harbor-dashboard');
    await page.getByRole('region', { name: 'Results' }).getByRole('link').first().click();
    await page.waitForURL('**/session/**');
    await page.getByLabel('Find in this session').fill('token');
    await expect.poll(() => new URL(page.url()).searchParams.get('find')).toBe('token');
    await page.goBack();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('cards');
    await page.getByRole('button', { name: /harbor-dashboard/, pressed: true }).waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('cards');
    await close();
  });

  it('shows a session being written without a reload', async () => {
    const { page, close } = await at.browser.open('/');
    await page.getByText('live', { exact: true }).waitFor();
    const id = '5ca1ab1e-0000-4000-8000-000000000001';
    const line = (uuid: string, type: string, text: string) =>
      `${JSON.stringify({
        type,
        uuid,
        sessionId: id,
        cwd: '/work/shop',
        version: '2.1.329',
        isSidechain: false,
        timestamp: new Date().toISOString(),
        message: { role: type, content: text },
      })}\n`;
    // In its first look, the server only records what is already there.
    await page.waitForTimeout(1500);
    const first = [line('a', 'user', 'Round the invoice totals'), line('b', 'assistant', 'Rounded.')];
    at.served.world.transcript(id, first);
    await at.served.world.run('index', '--no-embed');
    await page.getByRole('link', { name: 'Round the invoice totals' }).click({ timeout: 15_000 });
    await page.getByText('Rounded.').waitFor();
    at.served.world.transcript(id, [
      ...first,
      line('c', 'user', 'And the taxes'),
      line('d', 'assistant', 'Too.'),
    ]);
    await at.served.world.run('index', '--no-embed');
    await page.getByText('1 / 2').waitFor({ timeout: 15_000 });
    await close();
  });

  it('asks to be opened by the command if the browser is not signed in', async () => {
    const context = await at.browser.browser.newContext();
    const page = await context.newPage();
    await page.goto(at.served.url);
    await page.getByText('smart-fork serve --open').waitFor();
    const { json } = await at.served.ask('/auth/code', { method: 'POST' });
    // The events were refused too.
    await page.waitForTimeout(1000);
    // As a link in the same tab: nothing is loaded again.
    await page.goto(`${at.served.url}/#code=${json.code}`);
    await page.locator('.row').first().waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(page.url()).toBe(`${at.served.url}/`);
    await context.close();
  });

  it('says in place of an image that it cannot be shown', async () => {
    const { page, errors, close } = await at.browser.open('/');
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const images = [
      { mime: 'image/png', data: png },
      { mime: 'image/png', data: 'REDACTED' },
      { mime: 'image/svg+xml', data: 'PHN2Zz4=' },
    ];
    const steps = [{ kind: 'tool', name: 'view', summary: 'view', images }];
    const turns = [{ index: 0, user: 'Look', assistant: '', timestamp: null, steps }];
    await page.route('**/turns?**', (route) =>
      route.fulfill({ json: { from: 0, total: 1, problem: null, turns } }),
    );
    await page.goto(`${at.served.url}/session/${CARDS}`);
    await page.locator('.tool-line').first().click();
    await page.getByText('Image 2 is damaged').waitFor();
    await page.getByText('Image 3 is damaged').waitFor();
    expect(await page.getByAltText('Result 1 of the call').count()).toBe(1);
    expect(errors).toEqual([]);
    await close();
  });

  it('shows the asterisks and underscores of patterns and names', async () => {
    const { page, close } = await at.browser.open('/');
    const user = 'Only .test.*, .spec.* and src/**/*.ts, **/*.js, __init__: **not** _this_.';
    const turns = [{ index: 0, user, assistant: '', timestamp: null, steps: [] }];
    await page.route('**/turns?**', (route) =>
      route.fulfill({ json: { from: 0, total: 1, problem: null, turns } }),
    );
    await page.goto(`${at.served.url}/session/${CARDS}`);
    await page
      .locator('.prompt')
      .getByText('Only .test.*, .spec.* and src/**/*.ts, **/*.js, __init__: not this.', { exact: true })
      .waitFor();
    expect(await page.locator('.prompt').locator('strong, em').allTextContents()).toEqual(['not', 'this']);
    await close();
  });

  it('shows no answer from before next to an error', async () => {
    const { page, close } = await at.browser.open('/?q=cards');
    await page.locator('.result').first().waitFor();
    await page.route('**/api/v1/search**', (route) => route.abort());
    await page.getByRole('searchbox').fill('token');
    await page.getByText('Smart-fork does not answer.').waitFor();
    expect(await page.locator('.result').count()).toBe(0);
    await page.unroute('**/api/v1/search**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.result').first().waitFor();
    await close();
  });
});
