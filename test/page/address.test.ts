import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { CARDS } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

interface State {
  what: string;
  from: string;
  act(page: Page): Promise<unknown>;
  /** The expected URL. */
  parameter: string;
  /** What the page shows only in this state. */
  shown: string;
}

const READER = `/session/${CARDS}`;
const SEARCH = '/?q=token+usage+cards+dashboard';

const STATES: State[] = [
  {
    what: 'a query',
    from: '/',
    parameter: 'q',
    shown: '.result',
    act: (page) => page.getByRole('searchbox').fill('token usage'),
  },
  {
    what: 'the repository',
    from: SEARCH,
    parameter: 'repo',
    shown: '.filters [aria-pressed="true"][title="harbor-dashboard"]',
    act: (page) => page.getByRole('button', { name: /^harbor-dashboard/ }).click(),
  },
  {
    what: 'the agent',
    from: SEARCH,
    parameter: 'agent',
    shown: '.filters [aria-pressed="true"][title="claude"]',
    act: (page) => page.locator('.filters [title="claude"]').click(),
  },
  {
    what: 'the age',
    from: SEARCH,
    parameter: 'since',
    shown: '.filters [aria-pressed="true"][title="1y"]',
    act: (page) => page.locator('.filters [title="1y"]').click(),
  },
  {
    what: 'the outcome',
    from: SEARCH,
    parameter: 'outcome',
    shown: '.filters [aria-pressed="true"][title="edited"]',
    act: (page) => page.locator('.filters [title="edited"]').click(),
  },
  {
    what: 'how to search',
    from: SEARCH,
    parameter: 'literal',
    shown: '.switch:has-text("Search for every word") input:checked',
    act: (page) => page.getByLabel('Search for every word').check(),
  },
  {
    what: 'the result that is selected',
    from: '/?q=token+usage',
    parameter: 'sel',
    shown: '.result.selected:nth-child(2)',
    act: async (page) => {
      await page.locator('.result').nth(1).waitFor();
      await page.keyboard.press('j');
    },
  },
  {
    what: 'how much to fork',
    from: `${READER}?fork=1`,
    parameter: 'whole',
    shown: 'h2:has-text("Fork the whole session")',
    act: (page) => page.getByLabel('Whole session').check(),
  },
  {
    what: 'a tool call',
    from: READER,
    parameter: 'show',
    shown: '.tool-line[aria-expanded="true"]',
    act: (page) => page.locator('.tool-line').first().click(),
  },
  {
    what: 'all tool calls of a turn',
    from: `${READER}?turn=1`,
    parameter: 'show',
    shown: '.turn.current:not(:has(.tool-line[aria-expanded="false"])) .tool-line',
    act: async (page) => {
      await page.locator('.tool-line').first().waitFor();
      await page.keyboard.press('t');
    },
  },
  {
    what: 'the turn',
    from: READER,
    parameter: 'turn',
    shown: '.turn.current[data-index="1"]',
    act: async (page) => {
      await page.locator('.turn.current .prompt').waitFor();
      await page.keyboard.press(']');
    },
  },
  {
    what: 'the outline',
    from: READER,
    parameter: 'outline',
    shown: '.reader.alone',
    act: async (page) => {
      await page.locator('.turn.current .prompt').waitFor();
      await page.keyboard.press('o');
    },
  },
  {
    what: 'what is searched for in the session',
    from: READER,
    parameter: 'find',
    shown: '#find:not(:placeholder-shown)',
    act: (page) => page.getByLabel('Find in this session').fill('token'),
  },
  {
    what: 'the file',
    from: `${READER}/files`,
    parameter: 'path',
    shown: '.file-list li:nth-child(2) [aria-current="true"]',
    act: (page) => page.locator('.file-list li:nth-child(2) a').click(),
  },
  {
    what: 'the days of the activity',
    from: '/activity',
    parameter: 'days',
    shown: 'select:has(option[value="365"]:checked)',
    act: (page) => page.getByLabel('Days').selectOption('365'),
  },
  {
    what: 'a kind of ideas',
    from: '/memory',
    parameter: 'kind',
    shown: '.chip[aria-pressed="true"]:has-text("Decisions")',
    act: (page) => page.getByRole('button', { name: 'Decisions' }).click(),
  },
  {
    what: 'open ideas only',
    from: '/memory',
    parameter: 'open',
    shown: '.switch:has-text("Only open") input:checked',
    act: (page) => page.getByLabel('Only open').check(),
  },
  {
    what: 'the agent whose usage is shown',
    from: '/usage',
    parameter: 'agent',
    shown: 'select:has(option[value="codex"]:checked)',
    act: (page) => page.getByLabel('Agent').selectOption('codex'),
  },
  {
    what: 'all settings',
    from: '/state',
    parameter: 'settings',
    shown: 'button:has-text("Show only changed settings")',
    act: (page) => page.getByRole('button', { name: /^Show all/ }).click(),
  },
];

describe.skipIf(noBrowser !== null)(inBrowser('the address'), () => {
  const at = usePage(() => serveWorld(['--no-worker']));

  it('restores every state of the page from its URL', async () => {
    const { page, errors, close } = await at.browser.open('/');
    for (const from of new Set(STATES.map((state) => state.from))) {
      const states = STATES.filter((state) => state.from === from);
      await page.goto(at.served.url + from);
      for (const { act } of states) await act(page);
      for (const { what, parameter } of states)
        await expect.poll(() => page.url(), { message: what }).toMatch(new RegExp(`[?&]${parameter}=`));
      await page.goto(page.url());
      for (const { what, shown } of states)
        await expect.poll(() => page.locator(shown).count(), { message: what }).toBeGreaterThan(0);
    }
    expect(errors).toEqual([]);
    await close();
  });

  it('leads from days without sessions to the last 365 days', async () => {
    const { page, close } = await at.browser.open('/activity?repo=no-such-repository&days=30');
    await page.getByText('Nothing in the last 30 days.').waitFor();
    await page.getByRole('link', { name: 'Show the last 365 days' }).click();
    await page.getByText('Nothing in the last 365 days.').waitFor();
    expect(await page.getByRole('link', { name: /^Show the last/ }).count()).toBe(0);
    await close();
  });

  it('shows what it can for an address that was typed wrong', async () => {
    const { page, errors, close } = await at.browser.open('/?q=token&pages=1000');
    await page.locator('.result').first().waitFor();
    await page.goto(`${at.served.url}/session/%ZZZZZ`);
    await page.getByText('No indexed session has an id that begins with "%ZZZZZ".').waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it('leads from filters that leave nothing to the same search without them', async () => {
    const { page, close } = await at.browser.open(`${SEARCH}&repo=no-such-repository&agent=codex`);
    await page.getByRole('button', { name: 'Search without filters' }).click();
    await page.locator('.result').first().waitFor();
    expect(new URL(page.url()).search).toBe(SEARCH.slice(1));
    await page.goto(`${at.served.url}/?repo=no-such-repository`);
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await page.locator('.row').first().waitFor();
    await close();
  });

  it('shows what was unfolded in a session again on Back', async () => {
    const { page, close } = await at.browser.open(READER);
    await page.locator('.tool-line').first().click();
    await page.locator('.tool-line[aria-expanded="true"]').waitFor();
    await page.getByRole('link', { name: /^Files/ }).click();
    await page.locator('.file-list').waitFor();
    await page.goBack();
    await page.locator('.tool-line[aria-expanded="true"]').waitFor();
    await close();
  });
});
