import { describe, expect, it } from 'vitest';
import { isSlow } from '../support/campaign.ts';
import { createWorld } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { usePage } from '../support/page/use-page.ts';
import { line, stampLines, toolPair } from '../support/transcripts/claude-transcripts.ts';

const ID = '5ca1ab1e-0000-4000-8000-000000005000';
const TURNS = 5000;
const WARM_MS = 300;
const FRAME_MS = 50;

describe.skipIf(noBrowser !== null || !isSlow)('the page with a session of 5,000 turns', () => {
  const at = usePage(async () => {
    const world = createWorld();
    world.transcript(
      ID,
      stampLines(longSession(), { sessionId: ID }).map((one) => JSON.stringify(one)),
    );
    return serveWorld([], world);
  });

  it(`scrolls a long session without a frame over ${FRAME_MS} ms`, async () => {
    const { page, close } = await at.browser.open(`/session/${ID}?turn=2400`);
    await page.getByRole('article', { name: 'Turn 2400', exact: true }).locator('.prompt').waitFor();
    await page.waitForTimeout(1000);
    await at.browser.browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
    await page.mouse.move(700, 500);
    for (let step = 0; step < 120; step++) {
      await page.mouse.wheel(0, step < 60 ? 240 : -240);
      await page.waitForTimeout(16);
    }
    const trace = await at.browser.browser.stopTracing();
    const tasks = longestTasks(trace.toString());
    console.log(`longest tasks of the main thread, [processor time, time] in ms: ${JSON.stringify(tasks)}`);
    // CPU time, because a task also waits on a machine with other work.
    expect(tasks[0]?.[0]).toBeLessThanOrEqual(FRAME_MS);
    await close();
  });

  it('goes to any turn of a long session, and renders few rows', async () => {
    const { page, close } = await at.browser.open(`/session/${ID}`);
    for (const turn of [5000, 1, 3333]) {
      await page.goto(`${at.served.url}/session/${ID}?turn=${turn}`);
      await page
        .getByRole('article', { name: `Turn ${turn}`, exact: true })
        .locator('.prompt')
        .waitFor();
      await page.getByText(`${turn} / ${TURNS}`).waitFor();
      expect(await page.getByRole('article').count()).toBeLessThan(40);
    }
    await close();
  });

  it(`shows a session’s first view within ${WARM_MS} ms when warm`, async () => {
    const { page, close } = await at.browser.open('/');
    await page.addInitScript({ content: FIRST_VIEW });
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      await page.goto(`${at.served.url}/`);
      await page.locator('.row').first().waitFor();
      times.push(await page.evaluate('window.firstView'));
    }
    times.sort((one, other) => one - other);
    console.log(`first view: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    // The fastest one, because other work on the machine only adds time.
    expect(times[0]).toBeLessThanOrEqual(WARM_MS);
    await close();
  });
});

/** Records when the first session is in the document, counted from the start of the navigation. */
const FIRST_VIEW = `new MutationObserver(() => {
  if (window.firstView === undefined && document.querySelector('.row') !== null) window.firstView = performance.now();
}).observe(document, { childList: true, subtree: true });`;

function longSession() {
  return Array.from({ length: TURNS }, (_, turn) => [
    line.user(`Turn ${turn}: round the total of \`cart-${turn}\`\n\n- taxes\n- coupons`),
    ...toolPair('Bash', { command: `npm test cart-${turn}` }, 'ok 1\nok 2', `toolu_${turn}`),
    line.assistant(
      `## Done\n\nThe **total** of cart ${turn} is right.\n\n\`\`\`ts\nexport function total(items: Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${turn} | 2 |\n`,
    ),
  ]).flat();
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  /** CPU time. */
  tdur?: number;
  args?: { name?: string };
}

/** CPU time and total time of each, in milliseconds, longest first. */
function longestTasks(trace: string): [number, number][] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const main = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const isMain = ({ pid, tid }: TraceEvent) =>
    main.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && /RunTask$/.test(event.name) && isMain(event),
  );
  return tasks
    .map(({ dur = 0, tdur = dur }): [number, number] => [Math.round(tdur / 1000), Math.round(dur / 1000)])
    .sort((one, other) => other[0] - one[0])
    .slice(0, 8);
}
