import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';
import { line, stampLines, toolPair } from '../support/transcripts/claude-transcripts.ts';

const ID = '5ca1ab1e-0000-4000-8000-000000006000';
const RUNS = 60;

describe.skipIf(noBrowser !== null)(inBrowser('the next match'), () => {
  const at = usePage(async () => {
    const world = createWorld();
    const runs = Array.from({ length: RUNS }, (_, run) => [
      ...[1, 2, 3].flatMap((call) =>
        toolPair('Bash', { command: `step ${call}` }, 'the zebra passes', `toolu_${run}_${call}`),
      ),
      line.assistant(`Part ${run} is done.`),
    ]);
    const turns = [
      ...[line.user('Check the zebra crossing'), ...runs.flat()],
      ...[line.user('Wire the ui for painting'), line.assistant('Done.')],
      ...[line.user('Something else'), line.assistant('Done.')],
      ...[line.user('Wire the ui for painted doors'), line.assistant('Done.')],
    ];
    world.transcript(
      ID,
      stampLines(turns, { sessionId: ID }).map((one) => JSON.stringify(one)),
    );
    return serveWorld([], world);
  });

  const shownTurn = (page: { url(): string }) => new URL(page.url()).searchParams.get('turn');
  const HIT = `[...(CSS.highlights.get('hit') ?? [])].map((range) => range.toString())[0] ?? ''`;

  it('opens only some of the calls of a turn, once', async () => {
    const { page, errors, close } = await at.browser.open(`/session/${ID}?q=zebra&turn=1`);
    await page.locator('.matches', { hasText: '1 turn matches' }).waitFor();
    await page.getByRole('article', { name: 'Turn 1', exact: true }).locator('.prompt').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => page.evaluate(HIT)).toBe('zebra');
    const keys = new URL(page.url()).searchParams.get('show')?.split('_') ?? [];
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.length).toBeLessThan(RUNS);
    await page.waitForTimeout(300);
    expect(new URL(page.url()).searchParams.get('show')?.split('_')).toEqual(keys);
    expect(errors).toEqual([]);
    await close();
  });

  it.each(['paints', 'ui'])('goes on from a turn in which "%s" is not highlighted', async (q) => {
    const { page, errors, close } = await at.browser.open(`/session/${ID}?q=${q}&turn=2`);
    await page.locator('.matches', { hasText: '2 turns match' }).waitFor();
    await page.getByRole('article', { name: 'Turn 2', exact: true }).locator('.prompt').waitFor();
    await page.keyboard.press('n');
    await expect.poll(() => shownTurn(page)).toBe('4');
    await page.waitForTimeout(300);
    await page.keyboard.press('N');
    await expect.poll(() => shownTurn(page)).toBe('2');
    expect(errors).toEqual([]);
    await close();
  });

  it('goes on in a browser that cannot highlight', async () => {
    const { page, errors, close } = await at.browser.open('/');
    await page.addInitScript('delete CSS.highlights; delete window.Highlight;');
    await page.goto(`${at.served.url}/session/${ID}?q=ui+painting&find=wire&turn=2`);
    await page.locator('.matches', { hasText: '2 turns match' }).waitFor();
    await page.getByRole('article', { name: 'Turn 2', exact: true }).locator('.prompt').waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await expect.poll(() => shownTurn(page)).toBe('4');
    expect(errors).toEqual([]);
    await close();
  });
});
