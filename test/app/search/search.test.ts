import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { pointText } from '../../../src/domain/point/point.ts';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import {
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
  type World,
} from '../../support/machines/world.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';
import { countWaiting } from '../../support/stores/ask-store.ts';
import {
  bashPair,
  type ClaudeLine,
  copyLines,
  FORK_ID,
  FORK_STYLES,
  GRANDCHILD_ID,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';

describe('search', () => {
  it('finds the session about the topic, with the passage and the command', async () => {
    const { parts, world } = await withSessions({
      retry: [
        line.user('Make the websocket reconnect with backoff'),
        line.assistant('The socket now retries with jitter.'),
      ],
      login: [line.user('Add a login form'), line.assistant('Added.')],
      charts: [line.user('Draw charts'), line.assistant('Drawn.')],
    });
    const response = await searchWorld(parts, 'reconnecting websockets', NOW);
    expect(response).toMatchObject({ mode: 'keyword', ranking: 'default' });
    expect(response.notices.map(({ code }) => code)).toEqual(['KEYWORD_ONLY']);
    const [first] = response.results;
    expect(first).toMatchObject({
      rank: 1,
      session_id: 'retry',
      recommended: true,
      title: 'Make the websocket reconnect with backoff',

      local: true,
      can_fork: true,
      jsonl_path: join(world.claudeHome, 'projects', '-home-dev-widgets', 'retry.jsonl'),
      match: { type: 'chunk', index: 0, turn: 0 },
    });
    expect(first?.snippet_ranges.map(([start, end]) => first.snippet.slice(start, end))).toEqual([
      'websocket',
      'reconnect',
    ]);
    expect(first?.fork_command).toMatch(/^claude --resume \S+retry\.jsonl --fork-session$/);
    expect(response.confidence).toBeGreaterThanOrEqual(70);
    expect(response.words).toBeUndefined();
  });

  it('finds by a further phrasing what the query misses, and says which phrasing found it', async () => {
    const { parts } = await withSessions({
      retry: [line.user('Make the websocket reconnect with backoff'), line.assistant('It retries.')],
      login: [line.user('Add a login form'), line.assistant('Added.')],
    });
    const query = 'calls keep dropping';
    expect((await searchWorld(parts, query, NOW)).results).toEqual([]);
    const also = ['websocket backoff reconnect.ts', 'login form'];
    const { results, ...response } = await searchWorld(parts, { query, also }, NOW);
    expect(response.also).toEqual(also);
    expect(results.map(({ session_id }) => session_id).sort()).toEqual(['login', 'retry']);
    expect(results.find(({ session_id }) => session_id === 'retry')).toMatchObject({
      snippet_ranges: [expect.anything(), expect.anything(), expect.anything()],
      scores: { phrasings: [0, 1, 0] },
    });
  });

  it('counts sessions per word if nothing matches well', async () => {
    const { parts } = await withSessions({
      a: [line.user('Add a login form')],
      b: [line.user('Login is slow')],
    });
    const none = await searchWorld(parts, 'zebra quagga', NOW);
    expect(none).toMatchObject({
      confidence: null,
      results: [],
      words: [
        { word: 'zebra', sessions: 0 },
        { word: 'quagga', sessions: 0 },
      ],
    });
    const weak = await searchWorld(parts, 'login zebra quagga okapi', NOW);
    expect(weak.results[0]?.recommended).toBe(false);
    expect(weak.words?.[0]).toEqual({ word: 'login', sessions: 2 });
  });

  it.each([
    ['a shell loop', bashPair('for tool in terraform helm; do which $tool; done', '')],
    ['a pattern', toolPair('Grep', { pattern: 'helm|terraform' }, '')],
    ['one mention', [line.assistant('It works as terraform does.')]],
  ])('does not find a word likely that the only session with it has in passing: %s', async (_, passing) => {
    const { parts } = await withSessions({
      passing: [line.user('Set up the new laptop'), ...passing],
      other: [line.user('Draw charts'), line.assistant('Drawn.')],
    });
    const { results, fit } = await searchWorld(parts, 'terraform', NOW);
    expect(results[0]).toMatchObject({ session_id: 'passing', recommended: false });
    expect(results[0]?.certainty).toBeLessThan(50);
    expect(fit?.level).not.toBe('strong');
    expect(fit?.level).not.toBe('likely');
  });

  it.each([
    ['its title', [line.user('Write the terraform module'), line.assistant('Written.')]],
    [
      'a changed file',
      [
        line.user('Set it up'),
        ...toolPair('Write', { file_path: '/home/dev/widgets/terraform/main.tf', content: 'x' }, 'ok'),
      ],
    ],
    ['a URL', [line.user('Read https://developer.example/terraform/intro first'), line.assistant('Read.')]],
  ])('finds a word likely that stands in %s', async (_, lines) => {
    const { parts } = await withSessions({
      named: lines,
      other: [line.user('Draw charts'), line.assistant('Drawn.')],
    });
    const { results } = await searchWorld(parts, 'terraform', NOW);
    expect(results[0]).toMatchObject({ session_id: 'named', recommended: true, strength: 'strong' });
  });

  it('does not find a word strong that only passages have', async () => {
    const { parts } = await withSessions({
      said: [
        line.user('Set up the new laptop of the apprentice with an editor and a shell'),
        line.assistant('Installed. By the way: terraform plans what terraform applies.'),
      ],
      other: [line.user('Draw charts'), line.assistant('Drawn.')],
    });
    const { results } = await searchWorld(parts, 'terraform', NOW);
    expect(results[0]).toMatchObject({ session_id: 'said', recommended: false, strength: 'likely' });
  });

  it.each([
    ['a time', 'reconnect the websocket with backoff', { since: '2026-07-01T00:00:00.000Z' }],
    ['a branch', 'reconnect the websocket with backoff', { branch: 'feat/other' }],
    ['a repository that the query excludes', 'reconnect the websocket with backoff -repo:widgets', undefined],
  ])('is not more certain of a session because %s leaves out a better one', async (_, query, filter) => {
    const world = createWorld();
    const write = (id: string, text: string, stamps: object) =>
      writeClaude(world.claudeHome, id, stampLines([line.user(text)], { sessionId: id, ...stamps }));
    write('right', 'Make the websocket reconnect with backoff', { start: '2026-06-01T10:00:00.000Z' });
    const elsewhere = { start: '2026-07-10T10:00:00.000Z', branch: 'feat/other', cwd: '/home/dev/admin' };
    write('near', 'Close the websocket, do not reconnect: show the backoff of uploads in a table', elsewhere);
    const parts = await openWorld(world);
    await indexWorld(parts);
    const all = await searchWorld(parts, { query: 'reconnect the websocket with backoff' }, NOW);
    const [right, near] = all.results;
    expect([right, near]).toMatchObject([{ session_id: 'right' }, { session_id: 'near' }]);
    const left = await searchWorld(parts, { query, filter }, NOW);
    expect(left.results.map(({ session_id, certainty }) => [session_id, certainty])).toEqual([
      ['near', near?.certainty],
    ]);
    expect(left.results[0]?.recommended).toBe(false);
  });

  it('does not compare a result with the session that asks, although a filter leaves that out', async () => {
    const world = createWorld();
    const query = 'reconnect the websocket with backoff';
    const now = new Date().toISOString();
    const asking = stampLines([line.user(`Look for: ${query}`)], { sessionId: 'asking', start: now });
    writeClaude(world.claudeHome, 'asking', asking);
    const lines = [line.user('Close the websocket, do not reconnect: show the backoff of uploads')];
    writeClaude(world.claudeHome, 'near', stampLines(lines, { sessionId: 'near', branch: 'feat/other' }));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const request = { query, filter: { branch: 'feat/other' } };
    const certaintyOf = async (fromUnknownSession: boolean) =>
      (await searchWorld(parts, { ...request, fromUnknownSession }, now)).results[0]?.certainty ?? 0;
    expect(await certaintyOf(true)).toBeGreaterThan((await certaintyOf(false)) + 10);
  });

  it('finds nothing by stop words alone if no other word of the query occurs', async () => {
    const { parts } = await withSessions({
      charts: [line.user('Draw the charts in green'), line.assistant('They are in green now.')],
    });
    const results = async (query: string) =>
      (await searchWorld(parts, query)).results.map(({ session_id }) => session_id);
    expect(await results('billing in pounds')).toEqual([]);
    expect((await searchWorld(parts, 'billing in pounds')).words).toEqual([
      { word: 'billing', sessions: 0 },
      { word: 'pounds', sessions: 0 },
    ]);
    expect(await results('billing in green')).toEqual(['charts']);
    expect(await results('in the')).toEqual(['charts']);
  });

  it('returns no results from an empty store', async () => {
    const { parts } = await withSessions({});
    expect(await searchWorld(parts, 'anything', NOW)).toMatchObject({ results: [], confidence: null });
  });

  it('treats every query as keywords, never as syntax', async () => {
    const { parts } = await withSessions({
      a: [line.user('Fix the token refresh in auth.ts: it says "expired"')],
    });
    const queries = [
      ...[
        'token:refresh',
        '"token refresh"',
        'token AND refresh',
        'NOT token',
        'NEAR(token refresh)',
        'tok*',
        '^token',
        'token - refresh',
      ],
      ...[
        '-- token',
        "token'",
        'token"',
        '{token} : (refresh',
        'token + refresh',
        'auth.ts',
        '\\token',
        'token\0refresh',
        '%token_',
      ],
    ];
    for (const query of queries) {
      const { results } = await searchWorld(parts, query, NOW);
      if (query !== 'tok*') expect(results.map(({ session_id }) => session_id)).toEqual(['a']);
    }
    for (const query of ['', '   ', '???', '🙂', '\ud800', 'the', '*', '"', ')'])
      await searchWorld(parts, query, NOW);
  });

  it('counts the sessions that each filter matches if nothing is found', async () => {
    const { parts } = await withSessions({ a: [line.user('Fix the login')], b: [line.user('Draw charts')] });
    const blame = async (filter: SessionFilter, minScore = 0) => {
      const { results, filters, sessions } = await searchWorld(
        parts,
        { query: 'login', filter, minScore },
        NOW,
      );
      return { found: results.length, filters, sessions };
    };
    expect(await blame({ branch: 'x', agent: 'claude' })).toEqual({
      found: 0,
      filters: [
        { filter: 'agent', value: 'claude', sessions: 2 },
        { filter: 'branch', value: 'x', sessions: 0 },
      ],
      sessions: 2,
    });
    const longAgo = '2001-01-01T00:00:00.000Z';
    expect((await blame({ asOf: longAgo })).filters).toEqual([
      { filter: 'as_of', value: longAgo, sessions: 0 },
    ]);
    expect(await blame({}, 2)).toEqual({
      found: 0,
      filters: [{ filter: 'min_score', value: '2', sessions: 0, of: 1 }],
      sessions: 2,
    });
    expect(await blame({ agent: 'claude' })).toEqual({ found: 1, filters: undefined, sessions: undefined });
    expect((await searchWorld(parts, 'zebra', NOW)).filters).toBeUndefined();
  });

  it('accepts queries of 100 KB', async () => {
    const { parts } = await withSessions({ a: [line.user('Fix the token refresh')] });
    const words = Array.from({ length: 12_000 }, (_, at) => `word${at}`).join(' ');
    const started = performance.now();
    const response = await searchWorld(parts, `token refresh ${words}`, NOW);
    expect(response.results[0]?.session_id).toBe('a');
    expect(response.query.length).toBeLessThanOrEqual(4000);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('finds text of every script', async () => {
    const { parts } = await withSessions({
      zh: [line.user('修复数据库连接超时的问题')],
      ru: [line.user('почему падает тест авторизации')],
      ja: [line.user('テストを速くしてください')],
      fr: [line.user('Corriger le café naïf')],
    });
    for (const [query, id] of [
      ['数据库连接', 'zh'],
      ['авторизации', 'ru'],
      ['テスト', 'ja'],
      ['cafe naif', 'fr'],
    ])
      expect((await searchWorld(parts, query ?? '', NOW)).results[0]?.session_id).toBe(id);
  });

  it('gives the same answer each time', async () => {
    const { parts } = await withSessions(
      Object.fromEntries(['c', 'a', 'b'].map((id) => [id, [line.user('the same words')]])),
    );
    const ask = async () =>
      (await searchWorld(parts, 'same words', NOW)).results.map(({ session_id }) => session_id);
    expect(await ask()).toEqual(['a', 'b', 'c']);
    expect(await ask()).toEqual(await ask());
  });

  it('returns at most the requested number of results, and none below the minimum score', async () => {
    const sessions = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`s${at}`, [line.user(`parser ${'x '.repeat(at)}`)]]),
    );
    const { parts } = await withSessions(sessions);
    expect((await searchWorld(parts, 'parser', NOW)).results).toHaveLength(5);
    expect((await searchWorld(parts, { query: 'parser', limit: 12 }, NOW)).results).toHaveLength(12);
    const { results } = await searchWorld(parts, { query: 'parser', limit: 12, minScore: 0.8 }, NOW);
    expect(results.length).toBeLessThan(12);
    for (const { score } of results) expect(score).toBeGreaterThanOrEqual(0.8);
  });
});

describe('search filters', () => {
  const day = (text: string) => `2026-${text}T09:00:00.000Z`;
  const world = async () => {
    const { parts } = await withSessions({});
    const store = await parts.store();
    const claude = parts.config.homes.claude[0] ?? '';
    const write = (id: string, lines: ClaudeLine[], options: object) =>
      writeClaude(claude, id, stampLines(lines, { sessionId: id, ...options }));
    write('old', [line.user('parser work'), line.call('Edit', { file_path: '/srv/a/src/parse.ts' })], {
      cwd: '/srv/a',
      start: day('01-05'),
      branch: 'main',
    });
    write(
      'new',
      [
        line.user('parser work'),
        line.assistant('WAITING: for review'),
        line.call('Edit', { file_path: '/srv/b/lib/parse.ts' }),
      ],
      { cwd: '/srv/b', start: day('03-05'), branch: 'next' },
    );
    await indexWorld(parts);
    await store.setTags('new', ['baseline']);
    const found = async (filter: object) =>
      (await searchWorld(parts, { query: 'parser', filter }, NOW)).results
        .map(({ session_id }) => session_id)
        .sort();
    return { found, parts };
  };

  it('filters by time', async () => {
    const { found } = await world();
    expect(await found({})).toEqual(['new', 'old']);
    expect(await found({ since: day('02-01') })).toEqual(['new']);
    expect(await found({ until: day('02-01') })).toEqual(['old']);
    expect(await found({ since: day('01-06'), until: day('02-01') })).toEqual([]);
  });

  it('filters by repository, branch, machine and agent', async () => {
    const { found } = await world();
    expect(await found({ repo: { repo_name: 'a' } })).toEqual(['old']);
    expect(await found({ repo: { repo_name: 'A' } })).toEqual(['old']);
    expect(await found({ repo: { repo_name: 'nope' } })).toEqual([]);
    expect(await found({ branch: 'next' })).toEqual(['new']);
    expect(await found({ machine: 'workshop' })).toEqual(['new', 'old']);
    expect(await found({ machine: 'elsewhere' })).toEqual([]);
    expect(await found({ agent: 'codex' })).toEqual([]);
  });

  it('filters by file: whole path components at the end', async () => {
    const { found } = await world();
    expect(await found({ file: 'parse.ts' })).toEqual(['new', 'old']);
    expect(await found({ file: 'src/parse.ts' })).toEqual(['old']);
    expect(await found({ file: './src/parse.ts' })).toEqual(['old']);
    expect(await found({ file: 'arse.ts' })).toEqual([]);
    expect(await found({ file: 'src\\parse.ts' })).toEqual(['old']);
  });

  it('filters by tag, marker and id', async () => {
    const { found } = await world();
    expect(await found({ tag: 'baseline' })).toEqual(['new']);
    expect(await found({ marker: 'WAITING' })).toEqual(['new']);
    expect(await found({ marker: 'PATTERN' })).toEqual([]);
    expect(await found({ excludeSessionIds: ['new'] })).toEqual(['old']);
    expect(await found({ sessionIds: ['new', 'gone'] })).toEqual(['new']);
  });
});

describe('a search as of a past day', () => {
  it('finds what a search on a past day would have found', async () => {
    const { parts } = await withSessions({});
    const home = parts.config.homes.claude[0] ?? '';
    const grown = [
      ...stampLines([line.user('parser one')], { sessionId: 'grown', start: '2026-01-01T00:00:00.000Z' }),
      ...stampLines([line.user(`quagga ${'filler text '.repeat(400)}`)], {
        sessionId: 'grown',
        start: '2026-03-01T00:00:00.000Z',
        after: 1,
      }),
      ...stampLines([line.user('zebra parser')], {
        sessionId: 'grown',
        start: '2026-03-02T00:00:00.000Z',
        after: 2,
      }),
    ];
    writeClaude(home, 'grown', grown);
    writeClaude(
      home,
      'later',
      stampLines([line.user('parser two')], { sessionId: 'later', start: '2026-04-01T00:00:00.000Z' }),
    );
    writeClaude(
      home,
      'early',
      stampLines([line.user('parser zero')], { sessionId: 'early', start: '2025-12-31T00:00:00.000Z' }),
    );
    await indexWorld(parts);
    const asOf = async (time: string, query = 'parser') =>
      (await searchWorld(parts, { query, filter: { asOf: time } })).results;
    expect((await asOf('2026-02-01T00:00:00.000Z')).map(({ session_id }) => session_id)).toEqual(['early']);
    expect((await asOf('2026-05-01T00:00:00.000Z')).map(({ session_id }) => session_id).sort()).toEqual([
      'early',
      'grown',
      'later',
    ]);
    expect(await asOf('2026-02-01T00:00:00.000Z', 'zebra')).toEqual([]);
    const [early] = await asOf('2026-01-01T00:00:00.000Z');
    expect(early?.scores.parts.recency).toBeCloseTo(Math.exp(-1 / 7), 2);
  });
});

describe('forks in search results', () => {
  const origin = stampLines([
    line.user('How should the payment webhook verify signatures?'),
    line.assistant('Use a constant-time comparison of the HMAC of the raw body.'),
  ]);
  const more = stampLines([line.user('Now the invoice layout'), line.assistant('Invoices are done.')], {
    sessionId: FORK_ID,
    after: 2,
  });

  it.each(FORK_STYLES)(
    'ranks a fork of the style "%s" below its origin for inherited text',
    async (style) => {
      const world = createWorld();
      writeClaude(world.claudeHome, SESSION_ID, origin);
      writeClaude(world.claudeHome, FORK_ID, [...copyLines(origin, style, { sessionId: FORK_ID }), ...more]);
      const parts = await openWorld(world);
      await indexWorld(parts);
      const stored = await storedSession(parts, FORK_ID);
      expect(stored?.session).toMatchObject({
        parent: { session_id: SESSION_ID },
        inherited_messages: 2,
        message_count: 2,
        started_at: more[0]?.timestamp,
      });
      expect(stored?.chunks.map(({ content }) => content).join('')).not.toContain('webhook');
      const inherited = (await searchWorld(parts, 'verify webhook signatures', NOW)).results;
      expect(inherited.map(({ session_id }) => session_id)).toEqual([SESSION_ID]);
      const own = (await searchWorld(parts, 'invoice layout', NOW)).results;
      expect(own[0]).toMatchObject({ session_id: FORK_ID, parent_session_id: SESSION_ID });
    },
  );

  it('shows a fork and its origin as one result, the better match, which names the other', async () => {
    const world = createWorld();
    const [style] = FORK_STYLES;
    writeClaude(world.claudeHome, SESSION_ID, origin);
    writeClaude(world.claudeHome, FORK_ID, [
      ...copyLines(origin, style ?? 'sdk', { sessionId: FORK_ID }),
      ...more,
    ]);
    writeClaude(world.claudeHome, 'other', stampLines([line.user('Print invoices')], { sessionId: 'other' }));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const { results } = await searchWorld(parts, 'invoice layout, payment webhook', NOW);
    expect(results.map(({ rank, session_id }) => [rank, session_id]).slice(1)).toEqual([[2, 'other']]);
    expect([results[0]?.session_id, ...(results[0]?.family ?? [])].sort()).toEqual(
      [FORK_ID, SESSION_ID].sort(),
    );
    const one = await searchWorld(parts, { query: 'invoice layout, payment webhook', limit: 2 }, NOW);
    expect(one.results).toHaveLength(2);
  });

  it.each(FORK_STYLES.slice(1))(
    'indexes a fork of the style "%s" completely if its origin is missing',
    async (style) => {
      const world = createWorld();
      writeClaude(world.claudeHome, FORK_ID, [...copyLines(origin, style, { sessionId: FORK_ID }), ...more]);
      const parts = await openWorld(world);
      await indexWorld(parts);
      const { results } = await searchWorld(parts, 'verify webhook signatures', NOW);
      expect(results[0]).toMatchObject({ session_id: FORK_ID, parent_session_id: SESSION_ID });
    },
  );

  it.each(FORK_STYLES)('indexes each message once in a chain of forks of the style "%s"', async (style) => {
    const world = createWorld();
    const b = [...copyLines(origin, style, { sessionId: FORK_ID }), ...more];
    const c = [
      ...copyLines(b, style, { sessionId: GRANDCHILD_ID }),
      ...stampLines([line.user('Send the newsletter')], { sessionId: GRANDCHILD_ID, after: 4 }),
    ];
    writeClaude(world.claudeHome, SESSION_ID, origin);
    writeClaude(world.claudeHome, FORK_ID, b);
    writeClaude(world.claudeHome, GRANDCHILD_ID, c);
    const parts = await openWorld(world);
    await indexWorld(parts);
    const found = async (query: string) =>
      (await searchWorld(parts, query, NOW)).results.map(({ session_id }) => session_id);
    expect(await found('webhook')).toEqual([SESSION_ID]);
    expect(await found('invoice')).toEqual([FORK_ID]);
    expect(await found('newsletter')).toEqual([GRANDCHILD_ID]);
    expect((await storedSession(parts, GRANDCHILD_ID))?.session.parent?.session_id).toBe(FORK_ID);
  });

  it('leaves shared text to the origin if the origin is indexed after its fork', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, FORK_ID, [...copyLines(origin, 'branch', { sessionId: FORK_ID }), ...more]);
    const parts = await openWorld(world);
    await indexWorld(parts);
    writeClaude(world.claudeHome, SESSION_ID, origin);
    await indexWorld(parts, { force: true });
    expect((await searchWorld(parts, 'webhook', NOW)).results.map(({ session_id }) => session_id)).toEqual([
      SESSION_ID,
    ]);
  });
});

describe('sessions that did the same', () => {
  const prompt = 'Draw the invoice totals of each month as a chart on the start page';
  const doing = (text: string, ...files: string[]) => [
    line.user(text),
    ...files.flatMap((file) => toolPair('Edit', { file_path: `/home/dev/widgets/${file}` }, 'ok')),
  ];

  it('are one result', async () => {
    const { parts } = await withSessions({
      first: doing(prompt, 'chart.ts', 'totals.ts'),
      again: doing(prompt, 'chart.ts', 'totals.ts', 'page.ts'),
      other: doing('Show invoice totals per customer, not as a chart of each month', 'chart.ts'),
    });
    const { results } = await searchWorld(parts, 'chart of invoice totals', NOW);
    expect(results).toHaveLength(2);
    const folded = results.flatMap(({ session_id, family = [] }) =>
      family.length ? [session_id, ...family] : [],
    );
    expect(folded.sort()).toEqual(['again', 'first']);
  });

  it.each([
    ['they changed other files', prompt, 'page.ts'],
    ['their title is short', 'Draw a chart', 'chart.ts'],
    ['they changed no files', prompt],
  ])('are results of their own if %s', async (_, text, ...files) => {
    const { parts } = await withSessions({
      first: doing(text, ...(files.length > 0 ? ['chart.ts'] : [])),
      again: doing(text, ...files),
    });
    expect((await searchWorld(parts, 'draw a chart', NOW)).results).toHaveLength(2);
  });
});

describe('markers', () => {
  it('stores markers with points and sessions', async () => {
    const { parts } = await withSessions({
      a: [
        line.user('go'),
        line.assistant('**PATTERN:** use a queue\n\nWORKING_SOLUTION: retry twice'),
        ...toolPair('Read', { file_path: '/x' }, 'WAITING: in a file'),
      ],
      b: [line.user('what does PATTERN matching mean?')],
    });
    const a = await storedSession(parts, 'a');
    expect(a?.session.markers).toEqual(['PATTERN', 'WORKING_SOLUTION']);
    expect(a?.chunks[0]?.markers).toEqual(['PATTERN', 'WORKING_SOLUTION']);
    expect((await storedSession(parts, 'b'))?.session.markers).toEqual([]);
    expect((await searchWorld(parts, 'queue', NOW)).results[0]?.markers).toEqual([
      'PATTERN',
      'WORKING_SOLUTION',
    ]);
  });
});

describe('search by meaning', () => {
  const sessions = {
    slow: [line.user('slow query timeout'), line.assistant('add index to database table')],
    login: [line.user('user login password'), line.assistant('test user session token')],
    build: [line.user('build deploy error'), line.assistant('change config file')],
  };

  it('uses vectors in hybrid and dense mode', async () => {
    const { parts } = await withModel(sessions);
    await embed(parts);
    const hybrid = await searchWorld(parts, 'slow database', NOW);
    expect(hybrid).toMatchObject({ mode: 'hybrid', notices: [], results: [{ session_id: 'slow' }, {}, {}] });
    expect(hybrid.results[0]?.scores.weights).toMatchObject({ session_words: 0.35, chunk_vectors: 0.15 });
    const dense = await searchWorld(parts, { query: 'slow database', mode: 'dense' }, NOW);
    expect(dense).toMatchObject({ mode: 'dense', results: [{ session_id: 'slow' }, {}, {}] });
    expect(dense.results[0]?.scores.weights).toMatchObject({
      session_words: 0,
      chunk_vectors: 0.5,
      intent_vectors: 0.5,
    });
    const keyword = await searchWorld(parts, { query: 'slow database', mode: 'keyword' }, NOW);
    expect(keyword).toMatchObject({ mode: 'keyword', notices: [], results: [{ session_id: 'slow' }] });
  });

  it('ranks by the PRD formula on request', async () => {
    const { parts } = await withModel(sessions);
    await embed(parts);
    const response = await searchWorld(parts, { query: 'slow database', ranking: 'prd' }, NOW);
    expect(response).toMatchObject({ ranking: 'prd', results: [{ session_id: 'slow' }, {}, {}] });
    const [first] = response.results;
    const {
      best_similarity = 0,
      average_similarity = 0,
      chunk_ratio = 0,
      recency = 0,
      chain_quality = 0,
    } = first?.scores.parts ?? {};
    expect(first?.score).toBeCloseTo(
      best_similarity * 0.4 +
        average_similarity * 0.2 +
        chunk_ratio * 0.05 +
        recency * 0.25 +
        chain_quality * 0.1,
      2,
    );
  });

  it('takes the quality of a session from its forks, and leaves out what is below a set threshold', async () => {
    const world = createWorld();
    const model = await writeTinyModel(join(world.folder, 'model'), { dimensions: 16 });
    const origin = stampLines(sessions.slow);
    const turns = Array.from({ length: 12 }, () => [line.user('index table'), line.assistant('add index')]);
    const edit = toolPair('Edit', { file_path: '/x/a.ts', old_string: 'a', new_string: 'b' }, 'ok');
    const more = [...edit, line.assistant('done'), ...turns.flat()];
    writeClaude(world.claudeHome, SESSION_ID, origin);
    writeClaude(world.claudeHome, FORK_ID, [
      ...copyLines(origin, 'branch', { sessionId: FORK_ID }),
      ...stampLines(more, { sessionId: FORK_ID, after: 2 }),
    ]);
    const parts = await openWorld(world, { SMART_FORK_MODEL_DIR: model });
    await indexWorld(parts);
    await embed(parts);
    const { formula } = parts.searchAids;
    const rank = async (threshold: number | null) => {
      const searchAids = { ...parts.searchAids, formula: { ...formula, threshold } };
      const request = { query: 'slow database', ranking: 'prd' as const, limit: 9 };
      const found = await searchWorld({ ...parts, searchAids }, request, NOW);
      return found.results.flatMap(({ session_id, family = [], scores }) => ({
        ids: [session_id, ...family],
        quality: scores.parts.chain_quality,
      }));
    };
    const all = await rank(null);
    expect(all.find(({ ids }) => ids[0] === SESSION_ID)?.quality).toBe(1);
    expect(await rank(1)).toEqual([]);
  });

  it('falls back to the default ranking if the PRD formula lacks vectors, and says so', async () => {
    const { parts } = await withSessions(sessions);
    const response = await searchWorld(parts, { query: 'slow', ranking: 'prd' }, NOW);
    expect(response.ranking).toBe('default');
    expect(response.notices.map(({ code }) => code)).toEqual(['KEYWORD_ONLY', 'PRD_NEEDS_VECTORS']);
  });

  it('searches by keyword until something is embedded, and reports what is missing', async () => {
    const { parts } = await withModel(sessions);
    const none = await searchWorld(parts, 'slow', NOW);
    expect(none).toMatchObject({ mode: 'keyword', notices: [{ code: 'NO_VECTORS' }] });
    await expect(searchWorld(parts, { query: 'slow', mode: 'dense' })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
    await embedSome(parts, 4);
    const some = await searchWorld(parts, 'slow', NOW);
    expect(some).toMatchObject({
      mode: 'hybrid',
      notices: [{ code: 'EMBEDDINGS_WAITING', message: expect.stringMatching(/^\d+ of \d+ passages/) }],
    });
    expect(some.results[0]?.scores.weights).toMatchObject({
      session_words: 0.4,
      chunk_words: 0.4,
      intent_vectors: 0.2,
    });
  });

  it('refuses dense mode without a model', async () => {
    const { parts } = await withSessions(sessions);
    await expect(searchWorld(parts, { query: 'slow', mode: 'dense' })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      hint: expect.stringContaining('model pull'),
    });
  });

  it('embeds intents first, then passages, then ideas and topics, and only points without a vector', async () => {
    const { parts } = await withModel(sessions);
    const store = await parts.store();
    const waiting = await store.pointsWithoutVector(100);
    const order = waiting.map(({ payload: { type } }) => ['intent', 'chunk'].indexOf(type) + 1 || 3);
    expect(order).toEqual(order.toSorted());
    expect(new Set(order)).toEqual(new Set([1, 2, 3]));
    expect(await embed(parts)).toBe(waiting.length);
    expect(await embed(parts)).toBe(0);
    expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 0 });
  });

  it('keeps vectors of unchanged texts and embeds changed ones', async () => {
    const { parts, world } = await withModel(sessions);
    await embed(parts);
    const lines = stampLines([...sessions.slow, line.user('why'), line.assistant('watch the server')], {
      sessionId: 'slow',
    });
    writeClaude(world.claudeHome, 'slow', lines);
    await indexWorld(parts);
    const store = await parts.store();
    const { intents, chunks } = await countWaiting(store);
    expect(intents).toBe(1);
    expect(chunks).toBeGreaterThan(0);
    await indexWorld(parts, { force: true });
    expect(await countWaiting(store)).toEqual({ intents, chunks });
  });

  it('refuses a model other than the one that filled the store, and suggests a fix', async () => {
    const { parts, world } = await withModel(sessions);
    await embed(parts);
    await parts.close();
    const other = await openWorld(world, {
      SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'other-model'), { dimensions: 24 }),
    });
    const refusal = { code: 'MODEL_MISMATCH', hint: expect.stringContaining('reindex') };
    await expect(searchWorld(other, 'slow')).rejects.toMatchObject(refusal);
    await expect(embed(other)).resolves.toBe(0);
    writeClaude(world.claudeHome, 'more', stampLines([line.user('new one')], { sessionId: 'more' }));
    await indexWorld(other);
    await expect(embed(other)).rejects.toMatchObject(refusal);
    expect(await searchWorld(other, { query: 'slow', mode: 'keyword' }, NOW)).toMatchObject({
      results: [{ session_id: 'slow' }],
    });
  });

  it('refuses to index for a model with other chunk sizes while there are old vectors', async () => {
    const { parts, world } = await withModel(sessions);
    await embed(parts);
    await parts.close();
    rmSync(join(world.folder, 'model'), { recursive: true });
    const other = await openWorld(world);
    await expect(indexWorld(other)).rejects.toMatchObject({
      code: 'MODEL_MISMATCH',
      hint: expect.stringContaining('reindex'),
    });
  });

  it('chunks everything again for a model with other chunk sizes if there are no vectors', async () => {
    const { parts, world } = await withSessions({
      a: [line.user('x'), line.assistant('many words here. '.repeat(300))],
    });
    const before = (await storedSession(parts, 'a'))?.chunks.length ?? 0;
    await parts.close();
    const other = await openWorld(world, {
      SMART_FORK_MODEL_DIR: await writeTinyModel(join(world.folder, 'model')),
    });
    await indexWorld(other);
    const after = await storedSession(other, 'a');
    expect(after?.chunks.length).toBeGreaterThan(before * 5);
    expect(after?.session.chunk_count).toBe(after?.chunks.length);
  });
});

/** A world in which sessions with these lines are indexed; their ids are their names. */
async function withSessions(
  sessions: Record<string, ClaudeLine[]>,
  env: Record<string, string> = {},
): Promise<{ parts: Parts; world: World }> {
  const world = createWorld();
  for (const [id, lines] of Object.entries(sessions))
    writeClaude(world.claudeHome, id, stampLines(lines, { sessionId: id }));
  const parts = await openWorld(world, env);
  await indexWorld(parts);
  return { parts, world };
}

async function withModel(sessions: Record<string, ClaudeLine[]>) {
  const world = createWorld();
  const model = await writeTinyModel(join(world.folder, 'model'), { dimensions: 16 });
  for (const [id, lines] of Object.entries(sessions))
    writeClaude(world.claudeHome, id, stampLines(lines, { sessionId: id }));
  const parts = await openWorld(world, { SMART_FORK_MODEL_DIR: model });
  await indexWorld(parts);
  return { parts, world };
}

async function embed(parts: Parts): Promise<number> {
  return embedPending({ store: await parts.store(), embedder: await parts.embedding.embedder() });
}

async function embedSome(parts: Parts, count: number): Promise<void> {
  const [store, embedder] = [await parts.store(), await parts.embedding.embedder()];
  const points = await store.pointsWithoutVector(count);
  const vectors = await embedder.embedDocuments(points.map(({ payload }) => pointText(payload)));
  const items = points.flatMap(({ id, payload }, at) => {
    const vector = vectors[at];
    return vector === undefined ? [] : [{ id, contentHash: payload.content_hash, vector }];
  });
  await store.setVectors({ id: embedder.model.id, dimensions: embedder.model.dimensions }, items);
}
