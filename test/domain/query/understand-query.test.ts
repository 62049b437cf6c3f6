import { describe, expect, it } from 'vitest';
import { findTimes } from '../../../src/adapters/chrono/find-times.ts';
import { understandQuery } from '../../../src/domain/query/understand-query.ts';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import { languageNames } from '../../../src/domain/session/languages.ts';

/** A Sunday. */
const NOW = new Date(2026, 10, 22, 19, 30).getTime();
const NAMES = {
  repo: ['web-shop', 'agents'],
  branch: ['main', 'feat/login'],
  machine: ['thinkpad', 'build-1'],
  agent: ['claude', 'codex'],
  lang: languageNames(),
};

const read = (query: string, given: SessionFilter = {}, now = NOW) =>
  understandQuery(query, given, {
    now,
    names: async (kind) => NAMES[kind],
    times: async (text, at) => findTimes(text, at),
  });

async function summary(query: string, now = NOW) {
  const { text, understood } = await read(query, {}, now);
  return [text, ...understood.map((one) => one.text)];
}

describe('understandQuery', () => {
  it.each([
    ['oauth login last week', 'oauth login', 'since Nov 9'],
    ['yesterday: the flaky test', 'the flaky test', 'since Nov 21', 'until Nov 21'],
    ['refactor of the parser in October', 'refactor of the parser', 'since Oct 1', 'until Oct 31'],
    ['invoices in December', 'invoices', 'since Dec 1, 2025', 'until Dec 31, 2025'],
    ['token cache before the release in March', 'token cache', 'until Mar 31'],
    ['token cache before March', 'token cache', 'until Feb 28'],
    ['delete stale branches before 2026-06-01', 'delete stale branches', 'until May 31'],
    ['the dashboard before June 1, 2026 layout', 'the dashboard layout', 'until May 31'],
    ['commits since 2026-06-01', 'commits', 'since Jun 1'],
    ['token cache after March', 'token cache', 'since Apr 1'],
    ['rate limits in February -sandbox', 'rate limits', 'since Feb 1', 'until Feb 28', 'not sandbox'],
    ['sessions in February about rate limits', 'about rate limits', 'since Feb 1', 'until Feb 28'],
    ['All my sessions in February', '', 'since Feb 1', 'until Feb 28'],
    ['the login sessions in February', 'the login sessions', 'since Feb 1', 'until Feb 28'],
    ['rate limits since Monday', 'rate limits', 'since Nov 16'],
    ['rate limits until 2026-03-01', 'rate limits', 'until Mar 1'],
    ['rate limits in 2025', 'rate limits', 'since Jan 1, 2025', 'until Dec 31, 2025'],
    ['rate limits between Oct 3 and Oct 10', 'rate limits', 'since Oct 3', 'until Oct 10'],
    ['rate limits since May', 'rate limits', 'since May 1'],
    ['rate limits before May', 'rate limits', 'until Apr 30'],
    ['rate limits between March and May', 'rate limits', 'since Mar 1', 'until May 31'],
    ['sessions since May about rate limits', 'about rate limits', 'since May 1'],
    ['rate limits since May 2025', 'rate limits', 'since May 1, 2025'],
    ['rate limits from March to May', 'rate limits', 'since Mar 1', 'until May 31'],
    ['deploy script 2 weeks ago', 'deploy script', 'since Nov 1', 'until Nov 15'],
    ['deploy script in the last 3 days', 'deploy script', 'since Nov 19'],
    ['the deploy script this month', 'the deploy script', 'since Nov 1'],
    ['the deploy script earlier this week', 'the deploy script', 'since Nov 16'],
    ['the deploy script last quarter', 'the deploy script', 'since Jul 1'],
    ['the deploy script last weekend', 'the deploy script', 'since Nov 14', 'until Nov 15'],
    ['the deploy script over the weekend', 'the deploy script', 'since Nov 21'],
    ['the deploy script a few days ago', 'the deploy script', 'since Nov 16'],
    ['the deploy script on November 25', 'the deploy script', 'since Nov 25, 2025', 'until Nov 25, 2025'],
    ['the deploy script in early October', 'the deploy script', 'since Oct 1', 'until Oct 10'],
    ['the deploy script at the end of October', 'the deploy script', 'since Oct 1', 'until Oct 31'],
    ['a bug in the parser in October', 'a bug in the parser', 'since Oct 1', 'until Oct 31'],
    ['an error on the badge from October', 'an error on the badge', 'since Oct 1', 'until Oct 31'],
    ['the cache before we moved to bun in October', 'the cache', 'until Oct 31'],
    ['the session from last Friday about badges', 'about badges', 'since Nov 20', 'until Nov 20'],
    ['what did we do in June about badges', 'what did we do about badges', 'since Jun 1', 'until Jun 30'],
    ['sessions last week about badges', 'about badges', 'since Nov 9'],
    ['what did we do yesterday about badges', 'what did we do about badges', 'since Nov 21', 'until Nov 21'],
    ['the bug we fixed on Monday', 'the bug we fixed', 'since Nov 16', 'until Nov 16'],
    ['the dates that I parsed since Monday', 'the dates that I parsed', 'since Nov 16'],
    ['show me the sessions from last week', '', 'since Nov 9'],
    ['badges since October 3 until October 10', 'badges', 'since Oct 3', 'until Oct 10'],
    ['badges from last month until last week', 'badges', 'since Oct 1', 'until Nov 15'],
    ['badges between last month and last week', 'badges', 'since Oct 1', 'until Nov 15'],
    ['between 3 weeks ago and yesterday badges', 'badges', 'since Oct 25', 'until Nov 21'],
    ['badges last week since Friday', 'badges', 'since Nov 20'],
    ['badges since Friday last week', 'badges', 'since Nov 20'],
  ])('reads a time at the end or the beginning: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'it was not on branch main',
    'tests that ran, just not last week',
    'the one that wasn’t in the web-shop project',
    'not "rate limit" errors',
    'anything but on branch main',
  ])('understands nothing that the query states as a negation: %s', async (query) => {
    expect((await read(query)).understood).toEqual([]);
  });

  it.each([
    'add a filter by last week',
    'show usage for last month',
    'add "since Monday" preset',
    'fix parsing of May 5 in the date picker',
    'may fail in march order',
    'the second march of the ants',
    'update node to 20.19 in CI',
    'retry after 5 minutes',
    'expire tokens after 2 weeks',
    'last commit is missing in the log',
    'today view shows the wrong day',
    'support python 2025 calendar versions',
    'validate sun and sat columns',
    'expire tokens from last week',
    'delete sessions from 30 days ago',
    'fetch commits since last week',
    'sort by created within the last hour',
    'limit of 5 requests in the last minute',
    'show cost over the last 30 days',
    'usage chart over the last month',
    'total cost this month',
    'format relative time like 2 hours ago',
    'label says 3 days ago',
    'parse dates in 2025',
    'drop support for node 18 in 2025',
    'quota reset on Monday',
    'run the job on Friday',
    'git log --since yesterday',
    'in june.txt is a typo',
    'before 2000 items the list lags',
    'around 2000 rows are slow',
    'before 1970 timestamps crash',
    'over 2025 rows in the table',
    'within 2025 tokens',
    'the crash in March 2019',
    'over 2050 requests',
  ])('leaves words alone that belong to the topic: %s', async (query) => {
    const { filter } = await read(query);
    expect(filter).toEqual({});
  });

  it.each([
    ['checkout in the web-shop repo', 'checkout', 'in web-shop'],
    ['checkout in the repository acme/web-shop', 'checkout', 'in web-shop'],
    ['in the web-shop repo: checkout', 'checkout', 'in web-shop'],
    ['checkout repo:Web-Shop', 'checkout', 'in web-shop'],
    ['login form on branch feat/login', 'login form', 'on branch feat/login'],
    ['login form on the feat/login branch', 'login form', 'on branch feat/login'],
    ['the sandbox with codex', 'the sandbox', 'with Codex'],
    ['the hook that we wrote in Claude Code', 'the hook that we wrote', 'with Claude Code'],
    ['the hook we wrote using codex', 'the hook we wrote', 'with Codex'],
    ['how did we round the cart, by claude code', 'how did we round the cart', 'with Claude Code'],
    ['what did we do in claude code hooks', 'what did we do in claude code hooks'],
    ['the hook we wrote using codex sandbox', 'the hook we wrote using codex sandbox'],
    ['what we did on the main branch', 'what we did', 'on branch main'],
    ['login form branch:main', 'login form', 'on branch main'],
    ['the crash agent:codex', 'the crash', 'with Codex'],
    ['the crash lang:ts', 'the crash', 'typescript code'],
    ['lang:C++ leaks', 'leaks', 'c++ code'],
    ['the parser lang:klingon', 'the parser lang:klingon'],
    ['the parser written in typescript', 'the parser written in typescript'],
    ['the one that was only discussed, sharding', 'sharding', 'discussed only'],
    ['codex sessions about the sandbox', 'about the sandbox', 'with Codex'],
    ['my Claude session about the sandbox', 'about the sandbox', 'with Claude Code'],
    ['the sandbox in a Claude Code session', 'the sandbox', 'with Claude Code'],
    ['proxy settings on my thinkpad laptop', 'proxy settings', 'on thinkpad'],
    ['fix login, the one that was committed', 'fix login', 'committed'],
    ['the session where we only discussed sharding', 'sharding', 'discussed only'],
    [
      'checkout in the web-shop repo with codex last week',
      'checkout',
      'in web-shop',
      'with Codex',
      'since Nov 9',
    ],
  ])('reads existing names, and outcomes: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'checkout in the admin repo',
    'rename the web-shop repo',
    'push to branch main',
    'add codex provider',
    'make it work with codex',
    'integrate the sandbox with codex',
    'import codex sessions from disk',
    'index codex sessions about which nothing is known',
    'log on server build-1',
    'show files that were committed',
    'agents in the sidebar',
    'support dark mode in codex',
    'skills in Claude Code',
    'in claude code hooks',
    'reviews by codex',
    'build a skill using claude code',
    'run the evals with codex',
    'the crash with codex',
    'we need dark mode in codex',
    'rebase on the main branch',
    'fix CI on main branch',
    'rename the session',
  ])('does not take other words for names: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['oauth -kubernetes', 'oauth', 'not kubernetes'],
    ['the npm release broke -prek', 'the npm release broke', 'not prek'],
    ['git rebase conflict -codex', 'git rebase conflict', 'not codex'],
    ['-kubernetes oauth -helm-chart', 'oauth', 'not kubernetes', 'not helm-chart'],
    ['oauth -हिन्दी', 'oauth', 'not हिन्दी'],
    ['登录 -检索', '登录', 'not 检索'],
    ['oauth -"rate limit"', 'oauth', 'not "rate limit"'],
    [
      'fix "undefined is not a function" crash',
      'fix undefined is not a function crash',
      '"undefined is not a function"',
    ],
    ['fix “left pad” crash', 'fix left pad crash', '"left pad"'],
  ])('reads exclusions and quotes: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    ['docker -agents', 'docker', 'not agents'],
    ['git push --force -web-shop', 'git push --force', 'not web-shop'],
    ['npm publish -sandbox', 'npm publish', 'not sandbox'],
    ['docker compose setup -kubernetes', 'docker compose setup', 'not kubernetes'],
    ['ls of the archive -kubernetes', 'ls of the archive', 'not kubernetes'],
    ['find . -agents', 'find .', 'not agents'],
    ['run eslint --fix -agents', 'run eslint --fix', 'not agents'],
  ])('excludes a word after a command that has no such flag: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    ['find . -name config', '-name'],
    ['java -version fails', '-version'],
    ['tar -xzf archive', '-xzf'],
    ['tar -cvzf archive', '-cvzf'],
    ['ls -lahtr in the archive', '-lahtr'],
    ['run eslint --fix -quiet', '-quiet'],
    ['terraform apply -auto-approve', '-auto-approve'],
  ])('takes what may be a flag as text, and says so: %s', async (query, flag) => {
    expect(await summary(query)).toEqual([query, `"${flag}" as text`]);
  });

  it('takes a date in a topic of times as text, and says so', async () => {
    const query = 'the timestamps before 2026-06-01';
    const text = '"before 2026-06-01" as text; --since and --until are filters';
    expect(await summary(query)).toEqual([query, text]);
  });

  it.each([
    'well-known pre-commit hook',
    'a - b',
    '-5 degrees',
    'use the -webkit- prefix',
    'style -moz-appearance',
    'pass -race to the tests',
    'the -race detector',
    'handle the options -verbose flag',
    'token - refresh',
    'empty "" quotes and a single " quote',
    `it's the user's "`,
  ])('does not mistake flags and dashes for exclusions: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['last week ESP32', 'ESP32', 'since Nov 9'],
    ['Yesterday flaky login', 'flaky login', 'since Nov 21', 'until Nov 21'],
    ['2 weeks ago queue deadlock', 'queue deadlock', 'since Nov 1', 'until Nov 15'],
    ['last month: queue deadlock', 'queue deadlock', 'since Oct 1'],
    ['last february', '', 'since Feb 1', 'until Feb 28'],
    ['queue deadlock last february', 'queue deadlock', 'since Feb 1', 'until Feb 28'],
    ['queue deadlock last feb', 'queue deadlock', 'since Feb 1', 'until Feb 28'],
    ['queue deadlock three weeks back', 'queue deadlock', 'since Oct 25', 'until Nov 8'],
    ['today we renamed the queue', 'we renamed the queue', 'since Nov 22'],
    ['last week i had a deadlock', 'i had a deadlock', 'since Nov 9'],
    ['recently, the queue', 'the queue', 'since Nov 8'],
    ['the queue recently', 'the queue', 'since Nov 8'],
    ['what did we recently decide about the queue', 'what did we decide about the queue', 'since Nov 8'],
    ['the queue deadlock the other day', 'the queue deadlock', 'since Nov 15'],
    ['recent sessions about the queue', 'about the queue', 'since Nov 8'],
    ['what did we change last week in the queue', 'what did we change in the queue', 'since Nov 9'],
    [
      'the bug we fixed in October in the queue',
      'the bug we fixed in the queue',
      'since Oct 1',
      'until Oct 31',
    ],
    ['on Monday we renamed the queue', 'we renamed the queue', 'since Nov 16', 'until Nov 16'],
    ['around October 20 we renamed the queue', 'we renamed the queue', 'since Oct 13', 'until Oct 27'],
    ['the queue deadlock back in October', 'the queue deadlock', 'since Oct 1', 'until Oct 31'],
    ["yesterday's crash of the queue", 'crash of the queue', 'since Nov 21', 'until Nov 21'],
  ])('reads a time at the beginning or in the middle: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'last 7 days filter resets',
    'yesterday button is grey',
    'this week view is empty',
    'last month totals are wrong',
    "today's date in the header",
    "last week's entries overlap",
    'recently used files list',
    'sort the recently opened tabs',
    'recent files menu',
    'most recent sessions first',
    'move the file back',
    'last run wins',
    'last week but one',
    'today i cannot delete failed remediations',
    'this week i see wrong totals',
  ])('leaves a time alone that names something: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['oauth login last summer', 'oauth login', 'since Jun 1', 'until Aug 31'],
    [
      'what did we decide last fall about retries',
      'what did we decide about retries',
      'since Sep 1, 2025',
      'until Nov 30, 2025',
    ],
    ['rate limits last winter', 'rate limits', 'since Dec 1, 2025', 'until Feb 28'],
    ['work on the parser over the summer', 'work on the parser', 'since Jun 1', 'until Aug 31'],
    ['rate limits in spring 2025', 'rate limits', 'since Mar 1, 2025', 'until May 31, 2025'],
    ['rate limits in Q3', 'rate limits', 'since Jul 1', 'until Sep 30'],
    ['rate limits in Q4 2025', 'rate limits', 'since Oct 1, 2025', 'until Dec 31, 2025'],
    ['what did we ship in the third quarter', 'what did we ship', 'since Jul 1', 'until Sep 30'],
    ['parser in the first half of 2026', 'parser', 'since Jan 1', 'until Jun 30'],
    ['parser in the first week of October', 'parser', 'since Oct 1', 'until Oct 7'],
    ['the last week of October parser', 'parser', 'since Oct 25', 'until Oct 31'],
    ['parser in the second half of October', 'parser', 'since Oct 16', 'until Oct 31'],
    ['parser, the week of Aug 3', 'parser', 'since Aug 3', 'until Aug 9'],
    ['parser, the week of Aug 6', 'parser', 'since Aug 3', 'until Aug 9'],
    ['parser around Christmas', 'parser', 'since Dec 17, 2025', 'until Jan 2'],
    ['parser after new year', 'parser', 'since Jan 2'],
    ['sessions older than two weeks about docker', 'about docker', 'until Nov 7'],
    ['docker sessions more than a month ago', 'docker sessions', 'until Oct 21'],
    ['docker sessions less than two weeks old', 'docker sessions', 'since Nov 8'],
    ['newer than a week docker', 'docker', 'since Nov 15'],
    ['docker threads newer than a week', 'docker threads', 'since Nov 15'],
    ['the queue that we built more than a month ago', 'the queue that we built', 'until Oct 21'],
    ['in Q3: docker', 'docker', 'since Jul 1', 'until Sep 30'],
    ['parser a couple of months ago', 'parser', 'since Aug 23', 'until Oct 22'],
    ['parser half a year ago', 'parser', 'since Feb 20', 'until Aug 22'],
    ['parser yesterday evening', 'parser', 'since Nov 21', 'until Nov 21'],
    ['parser late September', 'parser', 'since Sep 21', 'until Sep 30'],
    ['parser Aug 2026', 'parser', 'since Aug 1', 'until Aug 31'],
    ['my August sessions about docker', 'my sessions about docker', 'since Aug 1', 'until Aug 31'],
    ["monday's parser session", 'parser session', 'since Nov 16', 'until Nov 16'],
  ])('reads seasons, quarters, weeks and ages: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'spring boot in the payments service',
    'in spring boot the bean is null',
    'fall back to english',
    'falls back in summer time',
    'summer theme',
    'last summer sale page',
    'march through the array',
    'the may function',
    'Q3 report feature',
    'compare revenue in Q3',
    'Q3',
    'spring',
    'christmas banner',
    'new year date bug',
    'first week of the month calculation',
    'delete logs older than two weeks',
    'files older than a month are removed',
    'cleanup of sessions older than 30 days',
    'branches older than a week',
    'tokens that are older than a day',
    'image older than a week',
    'kill threads older than a week',
    'refresh cache older than a day',
    'alert on data older than a week',
    'docker newer than a week',
    'the image pulled more than a week ago',
    'sessions older than a week are red',
    'in Q3 docker',
    'cron job on tuesday',
    'before lunch reminder',
    'august theme',
  ])('leaves seasons, quarters and ages alone that belong to the topic: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['only claude: docker compose', 'docker compose', 'with Claude Code'],
    ['docker compose, only codex', 'docker compose', 'with Codex'],
    ['docker compose, codex only', 'docker compose', 'with Codex'],
    ['codex only', '', 'with Codex'],
    ['my codex session on docker', 'on docker', 'with Codex'],
    ['sessions with codex about docker', 'about docker', 'with Codex'],
    ['dashboard not with codex', 'dashboard', 'not with Codex'],
    ['everything except lang:ts', 'everything', 'not typescript code'],
    ['lexers -lang:sql', 'lexers', 'not sql code'],
    ['everything except agent:codex', 'everything', 'not with Codex'],
    ['login form not in the web-shop repo', 'login form', 'not in web-shop'],
    ['carts -repo:web-shop', 'carts', 'not in web-shop'],
    [
      '-repo:web-shop why does the cart fail -agent:codex',
      'why does the cart fail',
      'not in web-shop',
      'not with Codex',
    ],
    ['oauth not in web-shop and not with codex', 'oauth', 'not in web-shop', 'not with Codex'],
    ['the carts not in web-shop last week', 'the carts', 'not in web-shop', 'since Nov 9'],
    ['oauth not in web-shop with codex', 'oauth', 'not in web-shop', 'with Codex'],
    ['find sessions about oauth, not with codex', 'oauth', 'not with Codex'],
    ['rebase conflicts but not in web-shop', 'rebase conflicts', 'not in web-shop'],
    ['login form, but not in the web-shop repo', 'login form', 'not in web-shop'],
    ['oauth, not in web-shop or with codex', 'oauth', 'not in web-shop', 'not with Codex'],
    ['not in web-shop, with codex: oauth', 'oauth', 'not in web-shop', 'with Codex'],
    ['not in web-shop: login form', 'login form', 'not in web-shop'],
    ['not in web-shop, oauth', 'oauth', 'not in web-shop'],
    ['not with codex or claude: oauth', 'oauth', 'not with Codex', 'not with Claude Code'],
    ['the sidebar but not in web-shop last week', 'the sidebar', 'not in web-shop', 'since Nov 9'],
  ])('reads the only agent, and what is not wanted: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'the cart is not in web-shop',
    'why is the cart not in web-shop',
    'how carts scale not in web-shop',
    'the bug still reproduces, but not in web-shop',
    'login works but not in web-shop',
    'tests pass but not in web-shop',
    'the button flickers, but not in web-shop',
    'rename the button, but not in web-shop',
    'add dark mode but not in web-shop',
    'carts in admin but not in web-shop',
  ])('says how to exclude a repository that may be part of the topic: %s', async (query) => {
    expect(await summary(query)).toEqual([query, '"not in web-shop" as text; -repo:web-shop excludes it']);
    expect((await read(query)).outside).toEqual([]);
  });

  it.each([
    'why does the skill load with claude but not with codex',
    'the hook failed, but not with codex',
    'carts not in web-shop or admin',
    'carts not in web-shop but in admin',
    'skill loading with claude but not with codex',
    'carts not in web-shop because of taxes',
    'not in web-shop: the cart is empty',
    'oauth not in web-shop, but not with codex',
    'oauth not with codex, claude',
    'carts -repo:unknown',
    'works with claude but not with codex',
    'run the evals not with codex',
    'build it without codex',
  ])('takes no exclusion from what may be the topic: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, outside: [], understood: [] });
  });

  it.each([
    ['sessions with cursor', 'sessions', 'with Cursor'],
    ['sessions with cursor about docker', 'about docker', 'with Cursor'],
    ["docker in cursor's sessions", 'docker', 'with Cursor'],
    ['docker agent:cursor', 'docker', 'with Cursor'],
    ['what did cursor say about docker', 'docker', 'with Cursor'],
    ['fix pagination with cursor', 'fix pagination with cursor'],
    ['pagination, not with cursor', 'pagination, not with cursor'],
    ['why did cursor jump', 'why did cursor jump'],
    ['with cursor: pagination', 'with cursor: pagination'],
  ])(
    'takes the name of an agent that is a usual word for one only of sessions: %s',
    async (query, ...expected) => {
      const found = await understandQuery(
        query,
        {},
        {
          now: NOW,
          names: async (kind) => (kind === 'agent' ? ['claude', 'cursor'] : []),
          times: async (text, at) => findTimes(text, at),
        },
      );
      expect([found.text, ...found.understood.map(({ text }) => text)]).toEqual(expected);
    },
  );

  it.each([
    ['a month', new Date(2026, 2, 31, 14), 'until Feb 27'],
    ['a year', new Date(2024, 1, 29, 14), 'until Feb 27, 2023'],
  ])('counts %s back to the last day of a month at most', async (age, now, until) => {
    expect(await summary(`sessions older than ${age}`, now.getTime())).toEqual(['', until]);
  });

  it.each([
    'only claude sees the tool',
    'codex: command not found',
    'it works only with codex',
    'read only codex',
    'append only codex',
    'docker compose codex only',
  ])('leaves an agent alone that belongs to the topic: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['codex sessions this month about docker', 'about docker', 'with Codex', 'since Nov 1'],
    ['codex sessions this month', '', 'with Codex', 'since Nov 1'],
    ['anything yesterday on docker?', 'on docker?', 'since Nov 21', 'until Nov 21'],
    ['something this month with docker', 'with docker', 'since Nov 1'],
    ['what have we this month on docker', 'what have we on docker', 'since Nov 1'],
    ['what do we have this month on docker', 'what do we have on docker', 'since Nov 1'],
    ['in claude code, why was it a grid', 'why was it a grid', 'with Claude Code'],
    ['with codex: docker', 'docker', 'with Codex'],
    ['using codex, the docker hook', 'the docker hook', 'with Codex'],
    ['what have I told codex about docker', 'docker', 'in your own words', 'with Codex'],
    ['what did I ask claude about docker', 'docker', 'in your own words', 'with Claude Code'],
    ['did I tell codex to use docker', 'to use docker', 'in your own words', 'with Codex'],
    ['did I ever ask claude about docker', 'docker', 'in your own words', 'with Claude Code'],
    ['what did I ask gemini about docker', 'docker', 'in your own words'],
    ['logo stuff from web-shop, feb 20', 'logo stuff', 'in web-shop', 'since Feb 20', 'until Feb 20'],
    ['the login form from web-shop', 'the login form', 'in web-shop'],
    ['the logo was sometime mid february', 'the logo was', 'since Feb 11', 'until Feb 20'],
    ['mid-february docker', 'docker', 'since Feb 11', 'until Feb 20'],
    ['docker in late-february', 'docker', 'since Feb 21', 'until Feb 28'],
    ['docker in late december', 'docker', 'since Dec 21, 2025', 'until Dec 31, 2025'],
    ['stuff yesterday about docker', 'about docker', 'since Nov 21', 'until Nov 21'],
    ['docker since late october', 'docker', 'since Oct 21'],
    ['docker since last summer', 'docker', 'since Jun 1'],
  ])('reads the agent, the repository and the time of a short request: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    'codex sessions this month are missing',
    'user sessions this month expire',
    'anything yesterday breaks the chart',
    'in claude code the hook fails',
    'using codex the hook fails',
    'did I tell the hook to fail',
    'copy the button from web-shop',
    'the token that web-shop reads from admin',
    'parse Jan 5, Feb 20',
    'the date picker skips, feb 29',
    'rename jan, feb',
    'early may fail',
  ])('leaves words of a topic alone that could be in a short request: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['18 feb context tab layout', 'context tab layout', 'since Feb 18', 'until Feb 18'],
    ['march 3rd login page', 'login page', 'since Mar 3', 'until Mar 3'],
    ['3 march 2026 login page', 'login page', 'since Mar 3', 'until Mar 3'],
    ['dec 12-14 login page', 'login page', 'since Dec 12, 2025', 'until Dec 14, 2025'],
    ['may 5th login page', 'login page', 'since May 5', 'until May 5'],
    ['on monday that merge of the results', 'that merge of the results', 'since Nov 16', 'until Nov 16'],
    ['on tuesday the merge of the results', 'the merge of the results', 'since Nov 17', 'until Nov 17'],
    ["last friday's sidebar layout", 'sidebar layout', 'since Nov 20', 'until Nov 20'],
    ["friday's rebase conflicts", 'rebase conflicts', 'since Nov 20', 'until Nov 20'],
    ['carts plan summer 2026', 'carts plan', 'since Jun 1', 'until Aug 31'],
    ['carts plan winter 2026', 'carts plan', 'since Dec 1, 2025', 'until Feb 28'],
    ['summer 2025 carts plan', 'carts plan', 'since Jun 1, 2025', 'until Aug 31, 2025'],
    ['in fall 2025 retries', 'retries', 'since Sep 1, 2025', 'until Nov 30, 2025'],
    ['last winter carts plan', 'carts plan', 'since Dec 1, 2025', 'until Feb 28'],
    ['sessions older than half a year', '', 'until May 21'],
    ['newer than half a year carts', 'carts', 'since May 22'],
    ['sessions more than half a year ago about carts', 'about carts', 'until May 21'],
    ['half a year ago, carts', 'carts', 'since Feb 20', 'until Aug 22'],
    ['carts in the last half year', 'carts', 'since May 22'],
    ['a couple of weeks ago carts', 'carts', 'since Nov 1', 'until Nov 15'],
    ['codex in july, row page', 'row page', 'with Codex', 'since Jul 1', 'until Jul 31'],
    ['with codex last week: row page', 'row page', 'with Codex', 'since Nov 9'],
    ['claude code in web-shop, row page', 'row page', 'with Claude Code', 'in web-shop'],
    ['claude code sessions in web-shop about rows', 'about rows', 'with Claude Code', 'in web-shop'],
    ['show me codex sessions in web-shop about rows', 'about rows', 'with Codex', 'in web-shop'],
    ['sessions in web-shop about rows', 'about rows', 'in web-shop'],
  ])('reads a date, a weekday, a season or an agent at the beginning: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each([
    '18 feb column is empty',
    '18 feb is missing in the chart',
    'feb 28 date picker skips',
    'jan 5 feb 20 parse',
    '5 may fail',
    'may 5 retries exceed',
    'march 3 steps back',
    '2025-06-18 mcp spec',
    'on monday the cron job fails',
    'on monday the counter resets to zero',
    'on monday the migration runs',
    'on monday that job fails',
    "last friday's entries overlap",
    "the digest of last friday's mail",
    'summer 2026 collection page',
    'landing page for summer 2026',
    'revenue summer 2026',
    'last fall back commit',
    'last spring boot upgrade',
    'files older than half a year',
    'usage over the last half year',
    'codex in july breaks',
    'codex in sandbox, permission denied',
    'codex sessions in the sidebar are grey',
    'token expires after 15 minutes',
    'since node 20 the publish step warns',
    'recent evaluations list shows only 20',
  ])('leaves a date, a weekday, a season or an agent alone that belongs to the topic: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it('takes an agent before a quoted text for the topic', async () => {
    expect(await summary('codex "permission denied", macos')).toEqual([
      'codex permission denied, macos',
      '"permission denied"',
    ]);
  });

  it('takes the part of a month that has not begun for that of last year', async () => {
    const tenth = new Date(2026, 10, 10, 14).getTime();
    expect(await summary('docker late november', tenth)).toEqual([
      'docker',
      'since Nov 21, 2025',
      'until Nov 30, 2025',
    ]);
  });

  it('searches for the words of a user whatever agent the request names', async () => {
    expect(await read('what did I ask codex about docker', { agent: 'claude' })).toMatchObject({
      text: 'docker',
      filter: {},
      mine: true,
    });
  });

  it.each([
    ['docker last week', 'docker', 'since Nov 16', 'until Nov 22'],
    ['did i say last week', '', 'in your own words', 'since Nov 16', 'until Nov 22'],
    ['docker until last week', 'docker', 'until Nov 22'],
    ['docker before last week', 'docker', 'until Nov 15'],
    ['docker after last week', 'docker', 'since Nov 23'],
    ['docker since last week', 'docker', 'since Nov 16'],
    ['docker in the last week', 'docker', 'since Nov 16'],
    ['docker this week', 'docker', 'since Nov 23'],
  ])('reads a week from Monday to Sunday: %s', async (query, ...expected) => {
    const thursday = new Date(2026, 10, 26, 14).getTime();
    expect(await summary(query, thursday)).toEqual(expected);
  });

  it('names the filter that no session may match', async () => {
    expect(await read('carts not in web-shop')).toMatchObject({
      not: [],
      outside: [{ repo: { repo_name: 'web-shop' } }],
    });
  });

  it.each([
    ['show me all sessions where we discussed sharding', 'sharding'],
    [
      'Show me all sessions where we discussed API design for the mobile app',
      'API design for the mobile app',
    ],
    ['can you find the conversation in which we talked about sharding', 'sharding'],
    ['the session where we discussed sharding', 'sharding'],
    ['the chat that talked about sharding', 'sharding'],
    ['find sessions about sharding', 'sharding'],
    ['have we ever talked about sharding?', 'sharding?'],
    ['when did we last work on sharding', 'sharding'],
    ['anything about sharding', 'sharding'],
    ['show me all sessions from last week where we discussed sharding', 'sharding', 'since Nov 9'],
    ['show me all sessions', ''],
    ['what did I say last week', '', 'since Nov 9', 'in your own words'],
    ['what did I ask about sharding', 'sharding', 'in your own words'],
    ['what did I say about sharding last week', 'sharding', 'since Nov 9', 'in your own words'],
    ['did I ever mention sharding', 'sharding', 'in your own words'],
    ['remind me what we said about sharding', 'sharding'],
    ['what did we say about sharding', 'sharding'],
    ['what was said about sharding', 'sharding'],
    ['that session about sharding', 'sharding'],
    ['my prompts about sharding', 'sharding', 'in your own words'],
    ['everything I asked about sharding', 'sharding', 'in your own words'],
    ['what have I asked codex about sharding', 'sharding', 'in your own words', 'with Codex'],
    ['sharding that was committed', 'sharding', 'committed'],
    ['commits we made for sharding', 'sharding', 'committed'],
    ['what did codex say about sharding', 'sharding', 'with Codex'],
  ])('removes words of asking: %s', async (query, text, ...understood) => {
    const [left = '', ...others] = await summary(query);
    expect([left.replace(/^about /, ''), ...others.sort()]).toEqual([text, ...understood.sort()]);
  });

  it.each([
    'show me the diff',
    'list sessions by cost in the table',
    'what did I break',
    'restore a session from the archive',
    'the session list flickers',
    'session with expired cookie',
    'sessions on mobile safari end too early',
    'add a chat window',
    'what do we do about sharding',
    'the secret that was committed',
    'files that were committed',
    'commit message format',
    'my words are cut off',
    'everything I want',
    'the session about',
    'what did I say?',
  ])('leaves words alone that do not ask for sessions: %s', async (query) => {
    expect(await read(query)).toMatchObject({ text: query, understood: [] });
  });

  it.each([
    ['sharding in web-shop', 'sharding', 'in web-shop'],
    ['in web-shop: sharding', 'sharding', 'in web-shop'],
    ['in web-shop the sharding', 'the sharding', 'in web-shop'],
    ['what did we decide in web-shop about sharding', 'what did we decide about sharding', 'in web-shop'],
  ])('reads a repository’s bare name: %s', async (query, ...expected) => {
    expect(await summary(query)).toEqual(expected);
  });

  it.each(['sharding in admin', 'checkout in agents', 'the web-shop checkout', 'a cart in web-shop.ts'])(
    'leaves a name alone that may not be a repository: %s',
    async (query) => {
      expect(await read(query)).toMatchObject({ text: query, understood: [] });
    },
  );

  it('gives the request’s filters precedence over the query’s words', async () => {
    expect(await read('oauth last week', { since: '2026-01-01T00:00:00.000Z' })).toMatchObject({
      text: 'oauth last week',
      filter: {},
    });
    expect((await read('oauth with codex', { agent: 'claude' })).filter).toEqual({});
  });

  it.each([
    ['oauth since Monday before October', ['since Monday', 'before October']],
    ['What did Jolene finish last week before 23 January, 2023?', ['last week', 'before 23 January, 2023']],
  ])('searches for the words of contradictory times: %s', async (query, contradictory) => {
    const understood = await read(query);
    expect(understood.contradictory).toEqual(contradictory);
    expect(understood).toMatchObject({ text: query, filter: {}, understood: [] });
  });

  it('keeps the other conditions of a query whose times contradict each other', async () => {
    const { text, filter, contradictory } = await read(
      'oauth with codex since Monday before October -legacy',
    );
    expect(text).toBe('oauth since Monday before October');
    expect(filter).toEqual({ agent: 'codex' });
    expect(contradictory).toEqual(['since Monday', 'before October']);
  });

  it('looks up names and times only if the query may contain some', async () => {
    const knowledge = {
      now: NOW,
      names: () => Promise.reject(new Error('asked for names')),
      times: () => Promise.reject(new Error('asked for times')),
    };
    expect((await understandQuery('add rate limiting to the API', {}, knowledge)).understood).toEqual([]);
  });
});
