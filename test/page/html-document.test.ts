import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proseHtml } from '../../src/adapters/markdown/prose-html.ts';
import { type HtmlTurn, htmlEnd, htmlHead, htmlTurn } from '../../src/domain/html/session-html.ts';
import type { SessionRecord } from '../../src/domain/session/session.ts';
import { noBrowser, program } from '../support/page/browser.ts';
import { HOSTILE_TEXTS } from '../support/page/hostile-texts.ts';

/** A document with a hostile text wherever a session can contain text. */
function hostileDocument(): string {
  const turns = HOSTILE_TEXTS.map((text, index) => {
    const short = text.slice(0, 5000);
    const tool = { kind: 'tool' as const, name: short, summary: short, input: text, output: text };
    const turn: HtmlTurn = {
      index,
      timestamp: short,
      user: text,
      assistant: text,
      steps: [
        { kind: 'text', text },
        { kind: 'thinking', text },
        { ...tool, failed: true, edits: [{ path: short, before: short, after: `${short}x` }] },
        {
          ...tool,
          images: [
            { mime: 'image/svg+xml', data: 'PHN2Zz4=' },
            { mime: 'image/png"', data: '"><script>' },
            { mime: 'image/png', data: '" onerror="window.pwned=1' },
          ],
        },
        { kind: 'compaction', summary: text },
        { kind: 'subagent', title: short, turn_count: 1, turns: [], note: short },
      ],
    };
    return htmlTurn(turn, proseHtml);
  });
  const evil = HOSTILE_TEXTS.map((text) => text.slice(0, 200));
  const session = {
    title: evil.join(' ').slice(0, 5000),
    commits: evil.map((subject) => ({ hash: subject, subject })),
  } as unknown as SessionRecord;
  return htmlHead(session, evil, evil) + turns.join('') + htmlEnd(evil[0] ?? '');
}

describe.skipIf(noBrowser !== null)(`a saved session${noBrowser === null ? '' : ` (${noBrowser})`}`, () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'smart-fork-html-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`runs, loads and sends nothing from a hostile transcript (${HOSTILE_TEXTS.length} texts)`, async () => {
    const path = join(folder, 'hostile.html');
    writeFileSync(path, hostileDocument());
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    const requests: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(pathToFileURL(path).href);
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
    await page.waitForTimeout(500);
    expect(requests).toEqual([pathToFileURL(path).href]);
    expect(problems).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    const there = await page.evaluate<string[]>(WHAT_IS_THERE);
    expect([...new Set(there)].filter((one) => !ALLOWED.includes(one))).toEqual([]);
    const colour = await page.evaluate("getComputedStyle(document.querySelector('.prompt')).borderLeftWidth");
    expect(colour).toBe('3px');
    await browser.close();
  });

  it('is blocked from running a script even if one were in it', async () => {
    const path = join(folder, 'blocked.html');
    const whole = hostileDocument().replace(
      '<main>',
      '<main><script>window.pwned = 1</script><b style="color:red">x</b>',
    );
    writeFileSync(path, whole);
    const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.evaluate("getComputedStyle(document.querySelector('main > b')).color")).not.toBe(
      'rgb(255, 0, 0)',
    );
    await browser.close();
  });
});

/** Elements in the document's body, attributes that could act, and addresses that are not on the web. */
const WHAT_IS_THERE = `[...document.body.querySelectorAll('*')].flatMap((element) => [
  element.localName,
  ...[...element.attributes].map(({ name }) => name).filter((name) => !['class', 'id', 'rel', 'open'].includes(name)).map((name) => '@' + name),
  ...(element.hasAttribute('href') && !/^(https?:|#)/.test(element.getAttribute('href')) ? ['href ' + element.getAttribute('href')] : []),
])`;

const ALLOWED = [
  ...[
    'header',
    'h1',
    'h2',
    'p',
    'span',
    'details',
    'summary',
    'ul',
    'ol',
    'li',
    'code',
    'a',
    'main',
    'section',
  ],
  ...['time', 'div', 'pre', 'b', 'strong', 'em', 'footer', '@href', '@start'],
  ...['h3', 'h4', 'h5', 'h6', 'blockquote', 'br', 'del', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
