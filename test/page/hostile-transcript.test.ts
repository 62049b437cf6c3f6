import { beforeAll, describe, expect, it } from 'vitest';
import { everyNth } from '../support/campaign.ts';
import { CARDS } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser, type PageWindow } from '../support/page/browser.ts';
import { HOSTILE_TEXTS } from '../support/page/hostile-texts.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

/** A turn with a hostile text wherever a transcript can contain text. The server would clean most of them; here the page is on its own. */
function hostileTurn(text: string, index: number) {
  const short = text.slice(0, 5000);
  const tool = { kind: 'tool', name: short, summary: short, input: text, output: text, failed: true };
  return {
    index,
    timestamp: '2026-10-01T10:00:00.000Z',
    user: text,
    assistant: text,
    tools: [short],
    files: [short],
    steps: [
      { kind: 'text', text },
      { ...tool, edits: [{ path: short, before: short, after: `${short}\nx` }] },
      {
        ...tool,
        images: [
          { mime: 'image/svg+xml', data: 'PHN2Zz4=' },
          { mime: 'image/png"', data: '"><script>' },
        ],
      },
      { kind: 'compaction', summary: text },
      { kind: 'subagent', id: 'a', title: short, turn_count: 1 },
    ],
  };
}

describe.skipIf(noBrowser !== null)(inBrowser('a hostile transcript'), () => {
  let view: PageWindow;

  const at = usePage(() => serveWorld());
  beforeAll(async () => {
    view = await at.browser.open('/');
    await view.page.addInitScript({
      content: `window.violations = []; addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));`,
    });
    await view.page.route('**/api/v1/sessions/*/turns?*', (route) => {
      const query = new URL(route.request().url()).searchParams;
      const from = Number(query.get('from') ?? 0);
      const count = query.has('subagent') ? 1 : Number(query.get('count'));
      const texts = HOSTILE_TEXTS.slice(from, from + count);
      const turns = texts.map((text, index) => hostileTurn(text, from + index));
      return route.fulfill({ json: { from, total: HOSTILE_TEXTS.length, problem: null, turns } });
    });
    await view.page.route('**/api/v1/sessions/*/outline?*', (route) =>
      route.fulfill({
        json: {
          turns: HOSTILE_TEXTS.map((text, index) => ({
            index,
            timestamp: null,
            title: text.slice(0, 200),
            files_count: 1,
            has_match: true,
          })),
        },
      }),
    );
    await view.page.route(`**/api/v1/sessions/${CARDS}`, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const [evil = ''] = HOSTILE_TEXTS;
      const session = {
        ...answer.session,
        title: evil,
        branch: evil,
        repo_name: evil,
        tags: [evil],
        model: evil,
      };
      await route.fulfill({ json: { ...answer, session, turn_count: HOSTILE_TEXTS.length } });
    });
  });

  it(`runs, loads and sends nothing from a hostile transcript (${HOSTILE_TEXTS.length} texts)`, {
    timeout: 300_000,
  }, async () => {
    const { page, requests, errors } = view;
    requests.length = 0;
    await page.goto(`${at.served.url}/session/${CARDS}?q=script`);
    await page.getByRole('article').first().locator('.prompt').waitFor();
    const tags = new Set<string>();
    for (const turn of everyNth(
      4,
      HOSTILE_TEXTS.map((_, index) => index + 1),
    )) {
      await page.evaluate(goTo(`/session/${CARDS}?q=script&turn=${turn}`));
      const article = page.getByRole('article', { name: `Turn ${turn}`, exact: true });
      await article.locator('.prompt').waitFor();
      await page.keyboard.press('t');
      await article.locator('.tool-details').first().waitFor();
      await article.locator('.compaction button').first().click();
      for (const tag of await page.evaluate<string[]>(WHAT_IS_THERE)) tags.add(tag);
      expect(await page.evaluate('[window.pwned, window.violations]')).toEqual([undefined, []]);
    }
    expect([...tags].filter((tag) => !ALLOWED.includes(tag))).toEqual([]);
    expect(errors).toEqual([]);
    expect(requests.filter((address) => !address.startsWith(at.served.url))).toEqual([]);
    expect(page.url()).toContain(`/session/${CARDS}`);
  });

  it('spells out the characters that hide or reorder text', async () => {
    const { page } = view;
    const turn = HOSTILE_TEXTS.findIndex((text) => text.includes('\u202e')) + 1;
    await page.goto(`${at.served.url}/session/${CARDS}?turn=${turn}`);
    const article = page.getByRole('article', { name: `Turn ${turn}`, exact: true });
    await article.locator('.prompt').getByText('[U+202E]').waitFor();
    expect(await article.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });
});

/** Navigates like Back and Forward, without reloading the page. */
function goTo(address: string): string {
  return `history.pushState(null, '', '${address}'); dispatchEvent(new PopStateEvent('popstate'))`;
}

/** Everything in place of the texts that could act: elements, handlers, and URLs that are not http. */
const WHAT_IS_THERE = `[...document.querySelectorAll('main *, dialog *')].flatMap((element) => [
  element.localName,
  ...[...element.attributes].filter(({ name }) => /^on|^srcdoc$|^formaction$|^ping$/.test(name)).map(({ name }) => name),
  ...(element.localName === 'a' && !/^(https?:|\\/)/.test(element.getAttribute('href') ?? '') ? ['href ' + element.getAttribute('href')] : []),
  ...(element.closest('.prose') && /primary|command/.test(element.className) ? ['class ' + element.className] : []),
])`;

const ALLOWED = [
  ...[
    'a',
    'article',
    'blockquote',
    'br',
    'button',
    'code',
    'del',
    'details',
    'div',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
  ],
  ...[
    'h6',
    'header',
    'hr',
    'input',
    'ins',
    'li',
    'mark',
    'nav',
    'ol',
    'p',
    'pre',
    'section',
    'small',
    'span',
    'strong',
  ],
  ...['summary', 'table', 'tbody', 'td', 'th', 'thead', 'time', 'tr', 'ul'],
  // The way past the list.
  'href #session',
];
