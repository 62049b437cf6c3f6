import { describe, expect, it } from 'vitest';
import { renderSearch } from '../../../src/cli/search/render-search.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { fitOf } from '../../../src/domain/search/certainty.ts';
import type { SearchResponse } from '../../../src/domain/search-result.ts';
import { randomText } from '../../support/random-text.ts';
import { NOW, plainLook, searchResponse, searchResult, snippetOf } from '../../support/render/samples.ts';

const WORDS = [
  { word: 'implement', sessions: 1212 },
  { word: 'blockchain', sessions: 0 },
  { word: 'validation', sessions: 1 },
];

describe('what a query says besides its topic', () => {
  const understood = [
    { kind: 'since', value: '2026-01-26T00:00:00.000Z', from: 'last week', text: 'since Jan 26' },
    { kind: 'not', value: 'kubernetes', from: null, text: 'not kubernetes' },
  ] as const;

  it('shows conditions under the query, with the way to disable them', () => {
    const lines = show(searchResponse({ understood: [...understood] })).split('\n');
    expect(lines[1]).toBe('Understood: since Jan 26 · not kubernetes · --literal searches for the words');
  });

  it('shows conditions from options without a way to disable them', () => {
    const lines = show(searchResponse({ understood: [understood[1]] })).split('\n');
    expect(lines[1]).toBe('not kubernetes');
  });

  it('shows conditions even if nothing was found', () => {
    const lines = show(searchResponse({ understood: [...understood], results: [] })).split('\n');
    expect(lines[1]).toBe('Understood: since Jan 26 · not kubernetes');
  });
});

it('shortens a query of thousands of characters that finds nothing', () => {
  const shown = show(searchResponse({ query: 'x'.repeat(4000), results: [] }));
  expect(shown.split('\n').filter((line) => line.includes('xxx'))).toHaveLength(2);
});

describe('a result at 80 columns', () => {
  it('shows what a developer needs to choose', () => {
    expect(show(searchResponse())).toBe(
      `3 sessions for "add real-time token usage cards"  hybrid search · 42 ms

1. Real-time token usage dashboard   ★ Recommended · strong match
   mortgage-coach · main · 2 weeks ago · 87 messages · committed
   8402b1ed · Claude
   │ When building a session dashboard we stream token usage over a
   │ websocket and update the cards in place; each card subscribes to its
   │ own channel, so a busy session never repaints the others. The totals …
cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc --fork-session

2. Token usage field is missing from the registration form, and the tests that…
   billing-api · fix/registration-fields · yesterday · 1,204 messages · edited
   working solution · reusable pattern · #billing
   3a850835 · Codex · on work-desktop
   │ The schema knows \`tokenUsage\`, the form does not. I added the usage
   │ field and a test that fails without it.
smart-fork retrieve 3a850835-0f3c-4c52-9f6e-0d7b2c1a9e11

3. 実時間ダッシュボードの設計 🚀
   ダッシュボード · Nov 4, 2025 · 1 message · discussed
   e6b158a2 · Claude · fork of 8402b1ed
   │ 統計はログから計算します。token の使用量はカードごとに購読され、他のカ
   │ ードを再描画することはありません。再起動しても失われません。
cd /home/ada/dash && claude --resume e6b158a2-77aa-4b0e-8a53-5f4f8c8f1d02 --fork-session

Paste a command to fork that session (retrieve: to print its context), or read
it first: smart-fork show 8402b1ed`,
    );
  });

  it('uses ASCII marks on a terminal without Unicode', () => {
    const text = renderSearch(
      searchResponse({ results: [searchResult({ recommended: true, certainty: 87, strength: 'strong' })] }),
      plainLook(80, false),
      { nowMs: NOW },
    );
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).toContain('* Recommended - strong match');
    expect(text).toContain('   | When building');
  });

  it('marks a truncated passage in ASCII, with the right words highlighted', () => {
    const snippet = '… the token usage card …';
    const text = renderSearch(
      searchResponse({ results: [searchResult({ snippet, snippet_ranges: [[6, 11]] })] }),
      { ...plainLook(80, false), color: 1 },
      { nowMs: NOW },
    );
    expect(text).toContain('... the ');
    expect(text).toContain('card ...');
    expect(text).toMatch(/the (?:\u001b\[[\d;]*m)+token\u001b/);
    expect(text).not.toContain('…');
  });

  it('explains a score by its parts', () => {
    const response = searchResponse({ results: [searchResult()] });
    expect(renderSearch(response, plainLook(), { nowMs: NOW, explain: true })).toContain(
      `   score part     value  weight  points
   session words  1.000  × 0.35   0.350
   chunk words    0.940  × 0.35   0.329
   chunk vector   0.810  × 0.15   0.121
   intent vector  0.720  × 0.15   0.108
   recency        0.130  × 0.05   0.007
   score                          0.912
cd /home/ada/mortgage-coach && `,
    );
  });

  it('prints notices last, one per line', () => {
    const notices = [
      {
        code: 'no-model',
        message: 'Keyword search only, the model is not installed',
        hint: 'run smart-fork model pull',
      },
      { code: 'offline', message: 'Qdrant did not answer, searched on this machine' },
    ];
    expect(show(searchResponse({ notices })).split('\n').slice(-3)).toEqual([
      '',
      '! Keyword search only, the model is not installed: run smart-fork model pull',
      '! Qdrant did not answer, searched on this machine',
    ]);
  });
});

describe('the confidence of a result', () => {
  it('states confidence in words, and as a number only in explanations', () => {
    const results = [
      searchResult({ recommended: true, certainty: 87, strength: 'strong' }),
      searchResult({ rank: 2, certainty: 51, strength: 'likely' }),
      searchResult({ rank: 3, certainty: 3, strength: 'none' }),
    ];
    const text = show(searchResponse({ results }));
    expect(text.match(/\w+ match\b/g)).toEqual(['strong match', 'likely match']);
    expect(text).not.toContain('%');
    const explained = renderSearch(searchResponse({ results }), plainLook(), { nowMs: NOW, explain: true });
    expect(explained).toContain('Recommended · strong match (87%)');
    expect(explained).toContain('likely match (51%)');
  });

  it('names the forks folded into a result', () => {
    const results = [searchResult({ family: ['e6b158a2-77aa-4b0e-8a53-5f4f8c8f1d02'] })];
    expect(show(searchResponse({ results }))).toContain('+ 1 session of the same work: e6b158a2');
  });

  it('says first that nothing fits, and then shows the closest results', () => {
    const results = [searchResult({ certainty: 4, strength: 'none' })];
    const fit = fitOf([0.04], { together: false }) ?? undefined;
    const text = show(searchResponse({ results, confidence: 4, fit }));
    expect(text).toMatch(/^"add real-time token usage cards": nothing fits; the closest are:/);
    expect(text).toContain('Real-time token usage dashboard');
    expect(text).not.toMatch(/Recommended|(?:strong|likely|possible) match/);
  });
});

describe('the command of a result', () => {
  it('prints a result’s command on its own line, unbroken at any width', () => {
    const response = searchResponse();
    for (const columns of [20, 40, 80, 120, 200]) {
      const lines = show(response, columns).split('\n');
      for (const { fork_command } of response.results) expect(lines).toContain(fork_command);
    }
  });

  it('keeps a command on one line, whatever it contains', () => {
    const text = show(
      searchResponse({ results: [searchResult({ fork_command: 'cd /a\nrm -rf b \x1b[2J' })] }),
    );
    expect(text).toContain('\ncd /a rm -rf b\n');
  });
});

describe('the passage of a result', () => {
  it('shows the part of the passage with the most keywords', () => {
    const text = `${'Nothing of interest stands here. '.repeat(20)}But [token] [usage] is here. ${'And nothing again. '.repeat(20)}`;
    const lines = passageOf(show(searchResponse({ results: [searchResult({}, text)] })));
    expect(lines).toHaveLength(3);
    expect(lines.join(' ')).toContain('token usage is here');
    expect(lines[0]).toMatch(/^… /);
    expect(lines[2]).toMatch(/ …$/);
  });

  it('highlights matched words in colour and leaves plain text unchanged', () => {
    const response = searchResponse({ results: [searchResult({}, 'a [token] b')] });
    expect(renderSearch(response, { columns: 80, color: 1, unicode: true }, { nowMs: NOW })).toContain(
      'a \x1b[1m\x1b[33mtoken\x1b[39m\x1b[22m b',
    );
    expect(show(response)).toContain('│ a token b');
  });

  it('renders a result without a passage', () => {
    const text = show(searchResponse({ results: [searchResult({ ...snippetOf('') })] }));
    expect(passageOf(text)).toEqual([]);
  });
});

describe('a search without results', () => {
  it('shows how many sessions pass each filter if nothing is found', () => {
    const text = show(
      searchResponse({
        query: 'validation',
        results: [],
        confidence: null,
        sessions: 1200,
        filters: [
          { filter: 'repo', value: null, sessions: 17 },
          { filter: 'branch', value: 'x', sessions: 0 },
          { filter: 'until', value: new Date(2020, 0, 1, 23, 59, 59, 999).toISOString(), sessions: 0 },
          { filter: 'since', value: new Date(2020, 0, 1, 7, 5, 9, 123).toISOString(), sessions: 0 },
          { filter: 'min_score', value: '2', sessions: 0, of: 1 },
        ],
      }),
    );
    expect(text).toContain(
      `Sessions each filter matches:
  --repo: 17 of 1,200 sessions
  --branch x: 0 of 1,200 sessions
  --until 2020-01-01: 0 of 1,200 sessions
  --since "2020-01-01 07:05": 0 of 1,200 sessions
  --min-score 2: 0 of 1 match
`,
    );
  });

  it('ends the line that says which filter matches nothing', () => {
    const text = 'nothing on Nov 3; the newest session is from Nov 20';
    expect(show(searchResponse({ fit: { level: 'nothing', text } }))).toMatch(/from Nov 20\.\s/);
  });

  it('proposes to leave out filters that no session passes', () => {
    const filters = [{ filter: 'repo' as const, value: 'nosuch', sessions: 0 }];
    const text = show(searchResponse({ results: [], confidence: null, sessions: 3, filters }));
    expect(text).toContain('search again without --repo nosuch\n');
  });

  it('explains the suggested commands', () => {
    const footer = (can_fork: boolean) => {
      const { results } = searchResponse({});
      return show(searchResponse({ results: results.map((one) => ({ ...one, can_fork })) })).replace(
        /\n/g,
        ' ',
      );
    };
    expect(footer(true)).toContain('Paste a command to fork that session, or read it first');
    expect(footer(false)).toContain('Paste a command to print the context of that session, or read it first');
  });

  it('names the keywords without a match, and what to do', () => {
    const response = searchResponse({
      query: 'implement blockchain validation',
      results: [],
      confidence: null,
      words: WORDS,
    });
    expect(show(response)).toBe(
      `No session found for "implement blockchain validation"

Sessions with each word:
  implement   1,212 sessions
  blockchain      0 sessions
  validation      1 session

What you can do:
  • search again without "blockchain", or with other words instead
  • browse recent sessions: smart-fork sessions
  • start a fresh session`,
    );
  });

  it('warns about weak results', () => {
    expect(show(searchResponse({ confidence: 12, words: WORDS }))).toContain(
      'Weak matches. Sessions with each word: implement 1,212, blockchain 0, validation\n1. Other words may find more.',
    );
  });
});

describe('results of any text at any width', () => {
  it('never exceeds the width, except for commands, and prints no control character', () => {
    for (let seed = 0; seed < 25; seed++) {
      const response = randomResponse(seed);
      const commands = response.results.map(({ fork_command }) => fork_command);
      for (const columns of [20, 40, 80, 200]) {
        for (const explain of [false, true]) {
          const text = renderSearch(response, plainLook(columns), { nowMs: NOW, explain });
          expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
          for (const line of text.split('\n')) {
            if (commands.includes(line) || (explain && columns === 20)) continue;
            expect(displayWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
          }
        }
      }
    }
  });
});

function show(response: SearchResponse, columns = 80): string {
  return renderSearch(response, plainLook(columns), { nowMs: NOW });
}

function passageOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.startsWith('   │ ') ? [line.slice(5)] : []));
}

function randomResponse(seed: number): SearchResponse {
  const text = (offset: number, pieces = 6) => randomText(seed * 100 + offset, pieces);
  const passage = text(1, 60);
  const results = [1, 2, 10].map((rank) =>
    searchResult({
      rank,
      recommended: rank === 1 && seed % 2 === 0,
      title: text(2, seed % 20),
      repo_name: text(3),
      branch: text(4),
      machine: text(5),
      local: seed % 3 === 0,
      tags: [text(6), 'x'],
      markers: ['PATTERN', 'WAITING'],
      session_id: text(7),
      snippet: passage,
      snippet_ranges: [
        [3, 9],
        [5, 20],
        [passage.length - 4, passage.length],
      ],
      fork_command: 'smart-fork retrieve something-with-a-long-name-that-does-not-fit-in-twenty-columns',
    }),
  );
  const words =
    seed % 4 === 0
      ? [
          { word: text(8), sessions: 12 },
          { word: text(9), sessions: 0 },
        ]
      : undefined;
  return searchResponse({
    query: text(10),
    results: seed % 5 === 0 ? [] : results,
    notices: [{ code: 'x', message: text(11), hint: text(12) }],
    ...(words ? { words } : {}),
  });
}
