import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CARDS, createWorld } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

const FORK = '11111111-2222-4333-8444-555555555555';
const EMPTY = '22222222-2222-4333-8444-555555555555';
const QUESTION = 'what do the token usage cards show';

/** A sample session, copied by a fork that asks one thing more. */
function forkLines(folder: string): string[] {
  const path = join(folder, '.claude/projects/-home-sam-code-harbor-dashboard', `${CARDS}.jsonl`);
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const copied = lines.map((line) => {
    const entry = JSON.parse(line);
    if (entry.uuid === undefined) return line;
    const forkedFrom = { sessionId: CARDS, messageUuid: entry.uuid };
    return JSON.stringify({ ...entry, sessionId: FORK, forkedFrom });
  });
  const last = lines.map((line) => JSON.parse(line)).findLast(({ type }) => type === 'user');
  const own = {
    ...last,
    sessionId: FORK,
    uuid: 'b0000000-0000-4000-8000-000000000001',
    message: { role: 'user', content: 'raise the limit for admins' },
  };
  return [...copied, JSON.stringify(own)];
}

describe.skipIf(noBrowser !== null)(inBrowser('the page, newly opened'), () => {
  const at = usePage(() => {
    const world = createWorld();
    world.transcript(FORK, forkLines(world.folder));
    world.transcript(EMPTY, ['{"type":"summary","summary":"Nothing","leafUuid":"x"}']);
    return serveWorld(['--no-worker'], world);
  });

  it('takes what is typed as the query, but leaves the keys to a list that one comes back to', async () => {
    const { page, close } = await at.browser.open('/');
    await page.locator('.row').first().waitFor();
    await page.keyboard.type('token');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('token');
    await page.getByRole('link', { name: 'State' }).click();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.locator('.row').first().waitFor();
    expect(await page.evaluate('document.activeElement.id')).not.toBe('query');
    await close();
  });

  it('names what a fork was forked from in every list', async () => {
    const { page, close } = await at.browser.open('/');
    const { json } = await at.served.ask(`/api/v1/sessions/${CARDS}`);
    const text = `fork of ${json.session.title}`;
    for (const [address, row] of [
      ['/', '.row'],
      ['/activity', '.row'],
      ['/?q=raise+the+limit+for+admins', '.result'],
    ] as const) {
      await page.goto(at.served.url + address);
      await page.locator(row, { hasText: text }).waitFor();
      expect(await page.locator(row, { hasText: text }).count()).toBe(1);
    }
    await close();
  });

  it('says how many sessions matched besides those that are shown', async () => {
    const { page, close } = await at.browser.open('/?q=tests');
    const { json } = await at.served.ask('/api/v1/search?q=tests');
    const { results, matched } = json;
    await page
      .locator('.summary', {
        hasText: matched > results.length ? `${results.length} of ${matched} sessions` : `${matched} session`,
      })
      .waitFor();
    await close();
  });

  it('answers a question in Memory as recall does, each answer with its session, turn and fork', async () => {
    const { page, errors, close } = await at.browser.open('/memory');
    await page.getByRole('searchbox').fill(QUESTION);
    const { json } = await at.served.ask(`/api/v1/recall?q=${encodeURIComponent(QUESTION)}`);
    const [best] = json.answers;
    const first = page.locator('.idea').first();
    await first.locator('.answer').waitFor();
    const said = (await first.locator('.answer').textContent()) ?? '';
    expect(said).toBe(best.text.replaceAll('`', ''));
    await first.getByText(`${best.session.title}, turn ${best.turn + 1}`).waitFor();
    await first.getByRole('link', { name: 'Fork from here' }).click();
    await page
      .getByRole('dialog')
      .getByText(`Fork from turn ${best.turn + 1}`)
      .waitFor();
    expect(page.url()).toContain(best.session.session_id);
    expect(errors).toEqual([]);
    await close();
  });

  it('leads to every session from Activity, however long ago it ended', async () => {
    const { json } = await at.served.ask('/api/v1/days?limit=2');
    expect(json.left).toBeGreaterThan(0);
    const { json: all } = await at.served.ask('/api/v1/days');
    const ids = all.days.flatMap(({ sessions }: { sessions: unknown[] }) => sessions);
    expect(all.left).toBe(0);
    const { page, close } = await at.browser.open('/activity');
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').count()).toBe(ids.length);
    await close();
  });

  it('counts in State what was not read, and lists the files on request', async () => {
    const { page, close } = await at.browser.open('/state');
    const summary = page.getByText('Not read: 1 transcript without messages');
    await summary.waitFor();
    expect(await page.getByText(`${EMPTY}.jsonl`).first().isVisible()).toBe(false);
    await summary.click();
    expect(await page.getByText(`${EMPTY}.jsonl`).first().isVisible()).toBe(true);
    await close();
  });

  it('shows where a fork starts, and lets the user change it', async () => {
    const { page, close } = await at.browser.open(`/session/${CARDS}?fork=1`);
    const { json } = await at.served.ask(`/api/v1/sessions/${CARDS}/preflight`);
    const field = page.getByLabel('Starts in');
    await field.waitFor();
    expect(await field.inputValue()).toBe(json.directory);
    await field.fill(at.served.world.folder);
    await page.keyboard.press('Enter');
    await page.locator('.command', { hasText: `cd ${at.served.world.folder} &&` }).waitFor();
    await field.fill('/no/such/folder');
    await page.keyboard.press('Enter');
    await page.getByText('No such folder: /no/such/folder.').waitFor();
    expect(await page.getByRole('button', { name: 'Copy command' }).count()).toBe(0);
    await close();
  });
});
