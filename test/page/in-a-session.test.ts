import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CARDS } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

describe.skipIf(noBrowser !== null)(inBrowser('in a session'), () => {
  const at = usePage(() => serveWorld(['--no-worker']));

  it('forks from the turn in view, and from the other views the whole session', async () => {
    const { page, errors, close } = await at.browser.open(`/session/${CARDS}?turn=2`);
    await page.getByRole('button', { name: 'Fork from turn 2' }).click();
    await page.getByRole('dialog').getByText('Fork from turn 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /^Files/ }).click();
    await page.getByRole('button', { name: 'Fork', exact: true }).click();
    await page.getByRole('heading', { name: 'Fork the whole session' }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('keeps the results beside the session, with the filters of the search', async () => {
    const { page, errors, close } = await at.browser.open('/?q=token&agent=claude', { width: 1440 });
    await page.locator('.result').nth(1).waitFor();
    const titles = await page.locator('.result .title').allInnerTexts();
    await page.locator('.result .title').first().click();
    const list = page.getByRole('navigation', { name: 'Results' });
    await list.locator('[aria-current]').waitFor();
    expect(await list.locator('.name').allInnerTexts()).toEqual(titles);
    await page.locator('.turn').first().waitFor();
    await page.keyboard.press('J');
    await expect.poll(() => list.locator('[aria-current] .name').innerText()).toBe(titles[1]);
    expect(new URL(page.url()).searchParams.get('agent')).toBe('claude');
    await list.getByRole('link', { name: /Results for “token”/ }).click();
    await page.waitForURL('**/?q=token&agent=claude');
    expect(errors).toEqual([]);
    await close();
  });

  it('shows what the model thought on request, and which turns the user took back', async () => {
    const { page, errors, close } = await at.browser.open('/');
    const steps = [
      { kind: 'thinking', text: 'Is it a walrus?' },
      { kind: 'text', text: 'It is one.' },
    ];
    const turn = { user: 'What is it', assistant: '', timestamp: null, tools: [], files: [], steps };
    const turns = [0, 1].map((index) => ({ ...turn, index }));
    await page.route('**/turns?**', (route) =>
      route.fulfill({ json: { from: 0, total: 2, problem: null, turns } }),
    );
    await page.route('**/outline**', (route) =>
      route.fulfill({
        json: {
          turns: turns.map(({ index }) => ({
            index,
            timestamp: null,
            title: 'What is it',
            files_count: 0,
            ...(index === 0 ? { rewound: true } : {}),
          })),
        },
      }),
    );
    await page.goto(`${at.served.url}/session/${CARDS}`);
    const first = page.getByRole('article', { name: 'Turn 1' });
    await first.getByText('It is one.').waitFor();
    await first.getByText('taken back').waitFor();
    expect(await page.getByText('taken back', { exact: true }).count()).toBe(1);
    expect(await page.getByText('Is it a walrus?').count()).toBe(0);
    await page.getByRole('button', { name: 'Thinking' }).click();
    await first.getByText('Is it a walrus?').waitFor();
    await page.reload();
    await first.getByText('Is it a walrus?').waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('saves the session as a document that shows the same without smart-fork', async () => {
    const { page, errors, close } = await at.browser.open(`/session/${CARDS}`);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as HTML' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/^[a-z0-9-]+\.html$/);
    const title = await page.getByRole('heading', { level: 1 }).innerText();
    const prompt = await page.locator('.turn .prompt').first().innerText();
    const text = readFileSync((await download.path()) ?? '', 'utf8');
    await page.route('**/saved.html', (route) => route.fulfill({ contentType: 'text/html', body: text }));
    await page.goto(`${at.served.url}/saved.html`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
    expect(await page.locator('#turn-1 .prompt').innerText()).toBe(prompt.replace(/^Prompt:\s*/, ''));
    expect(errors).toEqual([]);
    await close();
  });

  it('goes from hit to hit, and opens the tool call that hides one', async () => {
    const { page, errors, close } = await at.browser.open('/');
    const call = (output: string) => ({ kind: 'tool', name: 'Bash', summary: 'ls', input: 'ls', output });
    const turns = [0, 1].map((index) => ({
      index,
      user: `Question ${index}`,
      assistant: '',
      timestamp: null,
      tools: [],
      files: [],
      steps: [
        { kind: 'text', text: `${'A long answer.\n\n'.repeat(60)}${index === 1 ? 'A walrus.' : ''}` },
        ...Array.from({ length: 14 }, (_, at) => call(index === 1 && at === 8 ? 'found: walrus' : 'nothing')),
      ],
    }));
    await page.route('**/turns?**', (route) =>
      route.fulfill({ json: { from: 0, total: 2, problem: null, turns } }),
    );
    await page.route('**/outline?**', (route) =>
      route.fulfill({
        json: {
          turns: turns.map(({ index, user }) => ({
            index,
            timestamp: null,
            title: user,
            files_count: 0,
            has_match: index === 1,
          })),
        },
      }),
    );
    await page.goto(`${at.served.url}/session/${CARDS}`);
    await page.locator('.turn .prompt').first().waitFor();
    await page.getByLabel('Find in this session').fill('walrus');
    await page.getByText('1 turn matches').waitFor();
    const hit = () => page.evaluate<string>(HIT);
    await page.keyboard.press('Enter');
    await expect.poll(hit).toBe('A walrus. visible');
    await page.keyboard.press('Enter');
    await expect.poll(hit).toBe('found: walrus visible');
    await page.keyboard.press('Shift+Enter');
    await expect.poll(hit).toBe('A walrus. visible');
    expect(errors).toEqual([]);
    await close();
  });
});

/** The text in which the hit is marked, and whether it is on the screen. */
const HIT = `(() => {
  const [range] = CSS.highlights.get('hit') ?? [];
  if (range === undefined) return 'none';
  const { top, bottom } = range.getBoundingClientRect();
  return range.startContainer.textContent + (top >= 0 && bottom <= innerHeight ? ' visible' : ' hidden');
})()`;
