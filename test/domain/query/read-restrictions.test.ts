import { describe, expect, it } from 'vitest';
import { findTimes } from '../../../src/adapters/chrono/find-times.ts';
import { understandQuery } from '../../../src/domain/query/understand-query.ts';
import { languageNames } from '../../../src/domain/session/languages.ts';

/** A Thursday. */
const NOW = new Date(2026, 10, 26, 21).getTime();
const NAMES = {
  repo: ['web-shop', 'pricing', 'phoenix', 'agents'],
  branch: ['main'],
  machine: ['thinkpad'],
  agent: ['claude', 'codex', 'opencode', 'pi', 'copilot', 'gemini', 'qwen', 'cursor'],
  lang: languageNames(),
};

/** The topic, and what restricts it. */
async function summary(query: string): Promise<string> {
  const { text, understood } = await understandQuery(
    query,
    {},
    { now: NOW, names: async (kind) => NAMES[kind], times: async (words, at) => findTimes(words, at) },
  );
  return [text, ...understood.map((one) => one.text)].join(' | ');
}

const rows = (table: string) =>
  table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(' => ') as [string, string]);

describe('restrictions in a query', () => {
  it.each(
    rows(`
    worktree cleanup the day before yesterday => worktree cleanup | since Nov 24 | until Nov 24
    worktree cleanup, day before yesterday => worktree cleanup | since Nov 24 | until Nov 24
    the weekend before last: sandbox research => sandbox research | since Nov 14 | until Nov 15
    sandbox research the weekend before last => sandbox research | since Nov 14 | until Nov 15
    sandbox research (last weekend) => sandbox research | since Nov 21 | until Nov 22
    week before last sandbox research => sandbox research | since Nov 9 | until Nov 15
    the week before last sandbox research => sandbox research | since Nov 9 | until Nov 15
    sandbox research the week before last => sandbox research | since Nov 9 | until Nov 15
    month before last: invoices => invoices | since Sep 1 | until Sep 30
    invoices the month before last => invoices | since Sep 1 | until Sep 30
    friday before last: release notes => release notes | since Nov 13 | until Nov 13
    remediation pipeline Q1 2026 => remediation pipeline | since Jan 1 | until Mar 31
    remediation pipeline, Q1 => remediation pipeline | since Jan 1 | until Mar 31
    remediation pipeline in Q1 2026 => remediation pipeline | since Jan 1 | until Mar 31
    first quarter 2026 remediation pipeline => remediation pipeline | since Jan 1 | until Mar 31
    first quarter of 2026, remediation => remediation | since Jan 1 | until Mar 31
    H1 2026 remediation pipeline => remediation pipeline | since Jan 1 | until Jun 30
    impact evaluation first half of february => impact evaluation | since Feb 1 | until Feb 14
    impact evaluation, second half of feb => impact evaluation | since Feb 15 | until Feb 28
    first half of 2026 impact evaluation => impact evaluation | since Jan 1 | until Jun 30
    second half of last month invoices => invoices | since Oct 16 | until Oct 31
    tab counters 17/02/2026 => tab counters | since Feb 17 | until Feb 17
    tab counters on 17/02/2026 => tab counters | since Feb 17 | until Feb 17
    tab counters, 17.02.2026 => tab counters | since Feb 17 | until Feb 17
    17.02.2026: tab counters => tab counters | since Feb 17 | until Feb 17
    17.2.2026 tab counters => tab counters | since Feb 17 | until Feb 17
    2026-02-17 tab counters => tab counters | since Feb 17 | until Feb 17
    tab counters 2026-02-17 => tab counters | since Feb 17 | until Feb 17
    2026-02-17: tab counters => tab counters | since Feb 17 | until Feb 17
    2026/02/17 tab counters => tab counters | since Feb 17 | until Feb 17
    02/17/2026 tab counters => tab counters | since Feb 17 | until Feb 17
    tab counters since 17/02/2026 => tab counters | since Feb 17
    tab counters 17 feb => tab counters | since Feb 17 | until Feb 17
    tab counters 17 february 2026 => tab counters | since Feb 17 | until Feb 17
    tab counters feb 17 => tab counters | since Feb 17 | until Feb 17
    17th of february tab counters => tab counters | since Feb 17 | until Feb 17
    17 feb: tab counters => tab counters | since Feb 17 | until Feb 17
    feb 17, 2026: tab counters => tab counters | since Feb 17 | until Feb 17
    2026-02 tab counters => tab counters | since Feb 1 | until Feb 28
    tab counters in 2026-02 => tab counters | since Feb 1 | until Feb 28
    tab counters 02/2026 => tab counters | since Feb 1 | until Feb 28
    02/2026: tab counters => tab counters | since Feb 1 | until Feb 28
    february 2026 tab counters => tab counters | since Feb 1 | until Feb 28
    feb 2026 tab counters => tab counters | since Feb 1 | until Feb 28
    february: tab counters => tab counters | since Feb 1 | until Feb 28
    in feb tab counters => tab counters | since Feb 1 | until Feb 28
    tab counters in feb => tab counters | since Feb 1 | until Feb 28
    tab counters since jan => tab counters | since Jan 1
    tab counters, feb => tab counters | since Feb 1 | until Feb 28
    tab counters, june => tab counters | since Jun 1 | until Jun 30
    tab counters june 2026 => tab counters | since Jun 1 | until Jun 30
    feb to march tab counters => tab counters | since Feb 1 | until Mar 31
    feb–mar 2026 tab counters => tab counters | since Feb 1 | until Mar 31
    tab counters february to march => tab counters | since Feb 1 | until Mar 31
    tab counters from feb to march => tab counters | since Feb 1 | until Mar 31
    tab counters feb 17-19 => tab counters | since Feb 17 | until Feb 19
    17 to 19 feb tab counters => tab counters | since Feb 17 | until Feb 19
    from 17 to 19 feb tab counters => tab counters | since Feb 17 | until Feb 19
    tab counters between 17 and 19 feb => tab counters | since Feb 17 | until Feb 19
    tab counters, 17 feb - 19 feb => tab counters | since Feb 17 | until Feb 19
    tab counters from 17 feb until 19 feb => tab counters | since Feb 17 | until Feb 19
    lightweight models 22-24 feb => lightweight models | since Feb 22 | until Feb 24
    up to and including 19 feb product tour => product tour | until Feb 19
    product tour up to 19 feb => product tour | until Feb 19
    product tour through 19 feb => product tour | until Feb 19
    product tour no later than 19 feb => product tour | until Feb 19
    product tour until and including 19 feb => product tour | until Feb 19
    product tour till 19 feb => product tour | until Feb 19
    product tour prior to march 2026 => product tour | until Feb 28
    product tour from 19 feb on => product tour | since Feb 19
    product tour from 19 feb onwards => product tour | since Feb 19
    product tour 19 feb or later => product tour | since Feb 19
    product tour starting 19 feb => product tour | since Feb 19
    product tour starting from 19 feb => product tour | since Feb 19
    product tour not before 19 feb => product tour | since Feb 19
    product tour not after 19 feb => product tour | until Feb 19
    product tour later than 19 feb => product tour | since Feb 20
    product tour earlier than march => product tour | until Feb 28
    product tour before today => product tour | until Nov 25
    past 24h: worker status => worker status | since Nov 25
    last 48 hours worker status => worker status | since Nov 24
    worker status past two days => worker status | since Nov 24
    worker status in the past 3 weeks => worker status | since Nov 5
    over the past fortnight: worker status => worker status | since Nov 12
    2d ago worker status => worker status | since Nov 24 | until Nov 24
    worker status 3 days ago => worker status | since Nov 22 | until Nov 24
    in the last 2 weeks, worker status => worker status | since Nov 12
    week of june 15 pi target => pi target | since Jun 15 | until Jun 21
    pi target week of 17 june 2026 => pi target | since Jun 15 | until Jun 21
    the week of 15 june 2026 pi target => pi target | since Jun 15 | until Jun 21
    pi target, week of the 15th of june => pi target | since Jun 15 | until Jun 21
    week 24 2026 pi target => pi target | since Jun 8 | until Jun 14
    calendar week 24: pi target => pi target | since Jun 8 | until Jun 14
    kw 24 pi target => pi target | since Jun 8 | until Jun 14
    early june pi target => pi target | since Jun 1 | until Jun 10
    mid june, pi target => pi target | since Jun 11 | until Jun 20
    end of june: pi target => pi target | since Jun 1 | until Jun 30
    pi target end of june => pi target | since Jun 1 | until Jun 30
    pi target at the end of june => pi target | since Jun 1 | until Jun 30
    start of june pi target => pi target | since Jun 1 | until Jun 30
    early 2026 pi target => pi target | since Jan 1 | until Apr 30
    pi target late 2025 => pi target | since Sep 1, 2025 | until Dec 31, 2025
    end of 2025: pi target => pi target | since Jan 1, 2025 | until Dec 31, 2025
    last tuesday pi target => pi target | since Nov 24 | until Nov 24
    tuesday: pi target => pi target | since Nov 24 | until Nov 24
    pi target, tuesday => pi target | since Nov 24 | until Nov 24
    last monday night deploy crash => deploy crash | since Nov 23 | until Nov 23
    this morning deploy crash => deploy crash | since Nov 26
    deploy crash this afternoon => deploy crash | since Nov 26
    yesterday afternoon: deploy crash => deploy crash | since Nov 25 | until Nov 25
    earlier today: deploy crash => deploy crash | since Nov 26
    deploy crash earlier today => deploy crash | since Nov 26
    earlier this month deploy crash => deploy crash | since Nov 1
    sometime in june deploy crash => deploy crash | since Jun 1 | until Jun 30
    deploy crash, sometime last month => deploy crash | since Oct 1
    I think it was in june, deploy crash => deploy crash | since Jun 1 | until Jun 30
    deploy crash around mid june => deploy crash | since Jun 4 | until Jun 27
    around 15 june: deploy crash => deploy crash | since Jun 8 | until Jun 22
    deploy crash june last year => deploy crash | since Jun 1, 2025 | until Jun 30, 2025
    june last year deploy crash => deploy crash | since Jun 1, 2025 | until Jun 30, 2025
    last year's deploy crash => deploy crash | since Jan 1, 2025
    last year deploy crash => deploy crash | since Jan 1, 2025
    deploy crash last year => deploy crash | since Jan 1, 2025
    2025: deploy crash => deploy crash | since Jan 1, 2025 | until Dec 31, 2025
    deploy crash, 2025 => deploy crash | since Jan 1, 2025 | until Dec 31, 2025
    in the summer of 2025: deploy crash => deploy crash | since Jun 1, 2025 | until Aug 31, 2025
    deploy crash (june 2026) => deploy crash | since Jun 1 | until Jun 30
    deploy crash - last week => deploy crash | since Nov 16 | until Nov 22
    last week - deploy crash => deploy crash | since Nov 16 | until Nov 22
    deploy crash; last week => deploy crash | since Nov 16 | until Nov 22
    [last week] deploy crash => deploy crash | since Nov 16 | until Nov 22
    what did we do on the deploy crash, last week? => what did we do on the deploy crash | since Nov 16 | until Nov 22
    only last week: deploy crash => deploy crash | since Nov 16 | until Nov 22
    deploy crash, only this month => deploy crash | since Nov 1
    deploy crash this year so far => deploy crash | since Jan 1
    two days ago, deploy crash => deploy crash | since Nov 23 | until Nov 25
    monday to wednesday: deploy crash => deploy crash | since Nov 23 | until Nov 25
    last week monday: deploy crash => monday: deploy crash | since Nov 16 | until Nov 22
    over christmas: deploy crash => deploy crash | since Dec 24, 2025 | until Dec 26, 2025
    between 10 and 20 june, deploy crash => deploy crash | since Jun 10 | until Jun 20
    recently: deploy crash => deploy crash | since Nov 12
    lately deploy crash => deploy crash | since Nov 12
    `),
  )('reads a time: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    @pricing stale issues => stale issues | in pricing
    stale issues @web-shop => stale issues | in web-shop
    pricing: stale issues => stale issues | in pricing
    web-shop: cart rounding => cart rounding | in web-shop
    web-shop, cart rounding => cart rounding | in web-shop
    cart rounding, web-shop => cart rounding | in web-shop
    cart rounding (web-shop) => cart rounding | in web-shop
    cart rounding, in pricing => cart rounding | in pricing
    the pricing repo: stale issues => stale issues | in pricing
    stale issues, pricing repo => stale issues | in pricing
    pricing repo: stale issues => stale issues | in pricing
    pricing repository, stale issues => stale issues | in pricing
    in repo pricing: stale issues => stale issues | in pricing
    repo pricing: stale issues => stale issues | in pricing
    project pricing, stale issues => stale issues | in pricing
    only pricing: stale issues => stale issues | in pricing
    only in pricing: stale issues => stale issues | in pricing
    stale issues, only pricing => stale issues | in pricing
    stale issues only in pricing => stale issues | in pricing
    just pricing: stale issues => stale issues | in pricing
    pricing only: stale issues => stale issues | in pricing
    within pricing stale issues => stale issues | in pricing
    stale issues inside pricing => stale issues | in pricing
    stale issues in @pricing => stale issues | in pricing
    stale issues in acme/pricing => stale issues | in pricing
    in pricing last week: stale issues => stale issues | in pricing | since Nov 16 | until Nov 22
    last week in pricing: stale issues => stale issues | since Nov 16 | until Nov 22 | in pricing
    pricing last week: stale issues => stale issues | in pricing | since Nov 16 | until Nov 22
    pricing, last week: stale issues => stale issues | in pricing | since Nov 16 | until Nov 22
    last week, pricing: stale issues => stale issues | since Nov 16 | until Nov 22 | in pricing
    stale issues, pricing, last week => stale issues | in pricing | since Nov 16 | until Nov 22
    pricing, codex, june: stale issues => stale issues | in pricing | with Codex | since Jun 1 | until Jun 30
    `),
  )('reads a repository: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    git hooks except web-shop => git hooks | not in web-shop
    git hooks except in web-shop => git hooks | not in web-shop
    git hooks, except web-shop => git hooks | not in web-shop
    git hooks, not web-shop => git hooks | not in web-shop
    git hooks not web-shop => git hooks | not in web-shop
    git hooks, not in web-shop => git hooks | not in web-shop
    git hooks, without web-shop => git hooks | not in web-shop
    git hooks but not web-shop => git hooks | not in web-shop
    git hooks, but not in web-shop => git hooks | not in web-shop
    git hooks excluding web-shop => git hooks | not in web-shop
    git hooks, excluding web-shop => git hooks | not in web-shop
    git hooks leave out web-shop => git hooks | not in web-shop
    git hooks, leaving out web-shop => git hooks | not in web-shop
    git hooks ignoring web-shop => git hooks | not in web-shop
    git hooks, ignore web-shop => git hooks | not in web-shop
    git hooks in any repo other than web-shop => git hooks | not in web-shop
    git hooks other than in web-shop => git hooks | not in web-shop
    git hooks anywhere but web-shop => git hooks | not in web-shop
    git hooks in all repos except web-shop => git hooks | not in web-shop
    git hooks in every repo but web-shop => git hooks | not in web-shop
    git hooks outside web-shop => git hooks | not in web-shop
    git hooks outside of web-shop => git hooks | not in web-shop
    git hooks, anything but web-shop => git hooks | not in web-shop
    git hooks apart from web-shop => git hooks | not in web-shop
    git hooks, skip web-shop => git hooks | not in web-shop
    git hooks minus web-shop => git hooks | not in web-shop
    not web-shop: git hooks => git hooks | not in web-shop
    not in web-shop: git hooks => git hooks | not in web-shop
    everywhere except web-shop: git hooks => git hooks | not in web-shop
    everything except web-shop: git hooks => git hooks | not in web-shop
    except web-shop: git hooks => git hooks | not in web-shop
    excluding web-shop and pricing: git hooks => git hooks | not in web-shop | not in pricing
    git hooks, not pricing or web-shop => git hooks | not in pricing | not in web-shop
    git hooks, neither pricing nor web-shop => git hooks | not in pricing | not in web-shop
    leave out codex: biome ignore list => biome ignore list | not with Codex
    without codex: biome ignore list => biome ignore list | not with Codex
    biome ignore list, not codex => biome ignore list | not with Codex
    biome ignore list, no codex => biome ignore list | not with Codex
    biome ignore list, not with codex => biome ignore list | not with Codex
    biome ignore list, without codex => biome ignore list | not with Codex
    biome ignore list excluding codex => biome ignore list | not with Codex
    biome ignore list (not codex) => biome ignore list | not with Codex
    biome ignore list, except codex => biome ignore list | not with Codex
    biome ignore list, anything but codex => biome ignore list | not with Codex
    biome ignore list, any agent but codex => biome ignore list | not with Codex
    biome ignore list, any agent other than codex => biome ignore list | not with Codex
    biome ignore list, no codex sessions => biome ignore list | not with Codex
    biome ignore list, not the codex sessions => biome ignore list | not with Codex
    biome ignore list, exclude codex => biome ignore list | not with Codex
    biome ignore list, ignoring codex sessions => biome ignore list | not with Codex
    biome ignore list but not codex => biome ignore list | not with Codex
    biome ignore list not from codex => biome ignore list | not with Codex
    biome ignore list, all agents except codex => biome ignore list | not with Codex
    not codex: biome ignore list => biome ignore list | not with Codex
    claude not codex: biome ignore list => biome ignore list | with Claude Code | not with Codex
    claude, not codex: biome ignore list => biome ignore list | with Claude Code | not with Codex
    biome ignore list, claude not codex => biome ignore list | with Claude Code | not with Codex
    `),
  )('reads what is not wanted: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    codex only: merge conflicts => merge conflicts | with Codex
    only codex: merge conflicts => merge conflicts | with Codex
    merge conflicts, codex only => merge conflicts | with Codex
    merge conflicts with codex => merge conflicts | with Codex
    merge conflicts in codex sessions => merge conflicts | with Codex
    merge conflicts, from codex => merge conflicts | with Codex
    merge conflicts via codex => merge conflicts | with Codex
    opencode only: merge conflicts => merge conflicts | with OpenCode
    gemini only: merge conflicts => merge conflicts | with Gemini CLI
    in gemini: merge conflicts => merge conflicts | with Gemini CLI
    merge conflicts, in opencode => merge conflicts | with OpenCode
    merge conflicts, with gemini cli => merge conflicts | with Gemini CLI
    merge conflicts, using pi => merge conflicts | with Pi
    merge conflicts, copilot sessions => merge conflicts | with Copilot CLI
    merge conflicts, only qwen => merge conflicts | with Qwen Code
    qwen sessions: merge conflicts => merge conflicts | with Qwen Code
    my codex sessions: merge conflicts => merge conflicts | with Codex
    codex sessions, merge conflicts => merge conflicts | with Codex
    codex chats about merge conflicts => about merge conflicts | with Codex
    codex last week: merge conflicts => merge conflicts | with Codex | since Nov 16 | until Nov 22
    codex in pricing: merge conflicts => merge conflicts | with Codex | in pricing
    pricing with codex: merge conflicts => merge conflicts | in pricing | with Codex
    claude code, last week: merge conflicts => merge conflicts | with Claude Code | since Nov 16 | until Nov 22
    last week with codex: merge conflicts => merge conflicts | since Nov 16 | until Nov 22 | with Codex
    codex conversations on merge conflicts => on merge conflicts | with Codex
    `),
  )('reads an agent: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    my own words only: workers field => workers field | in your own words
    only my words: workers field => workers field | in your own words
    only my prompts: workers field => workers field | in your own words
    my prompts: workers field => workers field | in your own words
    my messages only, workers field => workers field | in your own words
    workers field, only my own words => workers field | in your own words
    workers field, my own words only => workers field | in your own words
    workers field (my prompts only) => workers field | in your own words
    workers field, in my words => workers field | in your own words
    workers field in my own words => workers field | in your own words
    only what I wrote: workers field => workers field | in your own words
    only what I said about workers field => workers field | in your own words
    what I said: workers field => workers field | in your own words
    what I typed about workers field => workers field | in your own words
    what I told you about workers field => workers field | in your own words
    what I told claude about the workers field => the workers field | in your own words | with Claude Code
    things I asked codex about the workers field => the workers field | in your own words | with Codex
    everything I wrote about the workers field => the workers field | in your own words
    what have I said about workers field => workers field | in your own words
    what had I asked you regarding the workers field => the workers field | in your own words
    have I ever asked about workers field => workers field | in your own words
    have I mentioned workers field => workers field | in your own words
    did I tell you about workers field => workers field | in your own words
    did I ever say anything about workers field => workers field | in your own words
    did I write anything about workers field => workers field | in your own words
    where did I mention workers field => workers field | in your own words
    when did I ask for the workers field => the workers field | in your own words
    how did I phrase the workers field request => the workers field request | in your own words
    which prompts of mine mention workers field => workers field | in your own words
    prompts I wrote about workers field => workers field | in your own words
    questions I asked about the workers field => the workers field | in your own words
    anything I said about workers field => workers field | in your own words
    said by me: workers field => workers field | in your own words
    workers field, from me only => workers field | in your own words
    only from me: workers field => workers field | in your own words
    only user prompts: workers field => workers field | in your own words
    I asked about workers field => workers field | in your own words
    I told codex about the workers field last week => the workers field | in your own words | with Codex | since Nov 16 | until Nov 22
    what did I write to gemini about workers field => workers field | in your own words | with Gemini CLI
    `),
  )('reads that the user’s own words are meant: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    list every session that mentions trusted publisher => trusted publisher
    list all sessions mentioning trusted publisher => trusted publisher
    every chat that touches trusted publisher => trusted publisher
    which sessions mention trusted publisher => trusted publisher
    which session was about trusted publisher => trusted publisher
    which chats talk about trusted publisher => trusted publisher
    what sessions do we have on trusted publisher => trusted publisher
    in what conversations did we discuss trusted publisher => trusted publisher
    in which session did I see the trusted publisher error => see the trusted publisher error
    any session about trusted publisher => trusted publisher
    is there a session about trusted publisher => trusted publisher
    are there any chats on trusted publisher => trusted publisher
    do we have a session about trusted publisher => trusted publisher
    did we ever touch trusted publisher => trusted publisher
    where did we talk about trusted publisher => trusted publisher
    where have we discussed trusted publisher => trusted publisher
    find the session in which trusted publisher came up => in which trusted publisher came up
    find me the chat where trusted publisher was discussed => where trusted publisher was discussed
    sessions that deal with trusted publisher => trusted publisher
    sessions mentioning trusted publisher => trusted publisher
    sessions concerning trusted publisher => trusted publisher
    sessions containing trusted publisher => trusted publisher
    all conversations related to trusted publisher => trusted publisher
    give me everything on trusted publisher => trusted publisher
    search for sessions about trusted publisher => trusted publisher
    look up the conversation about trusted publisher => trusted publisher
    I'm looking for the session about trusted publisher => trusted publisher
    I need the chat where we set up trusted publisher => set up trusted publisher
    open the session about trusted publisher => trusted publisher
    take me back to the session about trusted publisher => trusted publisher
    `),
  )('removes words of asking: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each(
    rows(`
    the week of february 9: evaluator => evaluator | since Feb 9 | until Feb 15
    feb 9 - feb 13 evaluator => evaluator | since Feb 9 | until Feb 13
    9th to 13th feb: evaluator => evaluator | since Feb 9 | until Feb 13
    since the beginning of march: evaluator => evaluator | since Mar 1
    anything from last winter on the evaluator => on the evaluator | since Dec 1, 2025 | until Feb 28
    spring 2026: evaluator => evaluator | since Mar 1 | until May 31
    evaluator before christmas => evaluator | until Dec 23, 2025
    evaluator after new year 2026 => evaluator | since Jan 2
    in january: evaluator => evaluator | since Jan 1 | until Jan 31
    jan 2026, evaluator => evaluator | since Jan 1 | until Jan 31
    2026-02: evaluator => evaluator | since Feb 1 | until Feb 28
    2026-02-10 to 2026-02-14 evaluator => evaluator | since Feb 10 | until Feb 14
    from 2026-02-10 to 2026-02-14: evaluator => evaluator | since Feb 10 | until Feb 14
    evaluator since 2026-02-10 => evaluator | since Feb 10
    before feb 10 evaluator => evaluator | until Feb 9
    evaluator, before 10 feb => evaluator | until Feb 9
    evaluator, not before 10 feb => evaluator | since Feb 10
    evaluator until the end of february => evaluator | until Feb 28
    evaluator no earlier than june 2026 => evaluator | since Jun 1
    in the last couple of days: evaluator => evaluator | since Nov 24
    last couple of weeks evaluator => evaluator | since Nov 12
    over the last 10 days, evaluator => evaluator | since Nov 16
    in the past month evaluator => evaluator | since Oct 1
    3 months ago evaluator => evaluator | since Jul 27 | until Sep 25
    about 3 weeks ago: evaluator => evaluator | since Oct 29 | until Nov 12
    roughly a month ago, evaluator => evaluator | since Sep 26 | until Nov 25
    around the 20th of june: evaluator => evaluator | since Jun 13 | until Jun 27
    some time in march: evaluator => evaluator | since Mar 1 | until Mar 31
    evaluator, early this year => evaluator | since Jan 1 | until Apr 30
    late last year: evaluator => evaluator | since Sep 1, 2025 | until Dec 31, 2025
    end of last month evaluator => evaluator | since Oct 1
    beginning of this week evaluator => evaluator | since Nov 23
    earlier this year: evaluator => evaluator | since Jan 1
    monday evening: evaluator => evaluator | since Nov 23 | until Nov 23
    on the weekend of 13 june: evaluator => evaluator | since Jun 13 | until Jun 14
    first two weeks of june: evaluator => evaluator | since Jun 1 | until Jun 14
    second week of june evaluator => evaluator | since Jun 8 | until Jun 14
    last week of june evaluator => evaluator | since Jun 24 | until Jun 30
    last three days of june evaluator => evaluator | since Jun 28 | until Jun 30
    june 10th evaluator => evaluator | since Jun 10 | until Jun 10
    10 june evaluator => evaluator | since Jun 10 | until Jun 10
    10.06.2026 evaluator => evaluator | since Jun 10 | until Jun 10
    06/15/2026 evaluator => evaluator | since Jun 15 | until Jun 15
    15/6/2026 evaluator => evaluator | since Jun 15 | until Jun 15
    a year ago: evaluator => evaluator | since Nov 26, 2024
    evaluator a couple of months ago => evaluator | since Aug 27 | until Oct 26
    older than three months: evaluator => evaluator | until Aug 25
    [pricing] stale issues => stale issues | in pricing
    stale issues (pricing repo) => stale issues | in pricing
    for pricing: stale issues => stale issues | in pricing
    pricing project: stale issues => stale issues | in pricing
    in the pricing codebase: stale issues => stale issues | in pricing
    within the pricing repository, stale issues => stale issues | in pricing
    pricing sessions about stale issues => about stale issues | in pricing
    pricing sessions: stale issues => stale issues | in pricing
    all pricing sessions about stale issues => about stale issues | in pricing
    what did we do in pricing about stale issues => what did we do about stale issues | in pricing
    what did we do for stale issues in pricing => what did we do for stale issues | in pricing
    stale issues in pricing only => stale issues | in pricing
    stale issues in pricing, not with codex => stale issues | in pricing | not with Codex
    stale issues in any repo but pricing => stale issues | not in pricing
    stale issues not in pricing or web-shop => stale issues | not in pricing | not in web-shop
    stale issues, but leave pricing out => stale issues | not in pricing
    no pricing: stale issues => stale issues | not in pricing
    stale issues, no claude please => stale issues | not with Claude Code
    stale issues, please skip codex => stale issues | not with Codex
    stale issues (excluding codex) => stale issues | not with Codex
    stale issues (codex excluded) => stale issues | not with Codex
    codex excluded: stale issues => stale issues | not with Codex
    stale issues, not claude but codex => stale issues | not with Claude Code | with Codex
    stale issues, codex rather than claude => stale issues | with Codex | not with Claude Code
    stale issues, codex instead of claude => stale issues | with Codex | not with Claude Code
    only in codex: stale issues => stale issues | with Codex
    claude code only: stale issues => stale issues | with Claude Code
    just claude code sessions: stale issues => stale issues | with Claude Code
    what did claude say about stale issues => stale issues | with Claude Code
    what has codex found on stale issues => stale issues | with Codex
    what codex told me about stale issues => stale issues | with Codex
    the codex session about stale issues => about stale issues | with Codex
    a claude code chat about stale issues => about stale issues | with Claude Code
    in a codex session last month: stale issues => stale issues | with Codex | since Oct 1
    with opencode: stale issues => stale issues | with OpenCode
    opencode sessions about stale issues => about stale issues | with OpenCode
    pi sessions on stale issues => on stale issues | with Pi
    from copilot: stale issues => stale issues | with Copilot CLI
    my own words: stale issues => stale issues | in your own words
    mine only: stale issues => stale issues | in your own words
    only mine: stale issues => stale issues | in your own words
    stale issues, mine only => stale issues | in your own words
    only things I said: stale issues => stale issues | in your own words
    only what I typed: stale issues => stale issues | in your own words
    what have I typed about stale issues => stale issues | in your own words
    did I ever bring up stale issues => stale issues | in your own words
    have I ever brought up stale issues => stale issues | in your own words
    have I complained about stale issues => stale issues | in your own words
    what was I asking about stale issues => stale issues | in your own words
    when did I first mention stale issues => stale issues | in your own words
    where have I written about stale issues => stale issues | in your own words
    how many times did I ask about stale issues => stale issues | in your own words
    my question about stale issues => stale issues | in your own words
    the prompt where I asked about stale issues => stale issues | in your own words
    the question I asked about stale issues => stale issues | in your own words
    something I said about stale issues => stale issues | in your own words
    what I asked claude last week about stale issues => about stale issues | in your own words | with Claude Code | since Nov 16 | until Nov 22
    in my prompts: stale issues => stale issues | in your own words
    user side only: stale issues => stale issues | in your own words
    from my side: stale issues => stale issues | in your own words
    list the sessions that talk about stale issues => stale issues
    which conversations mention stale issues => stale issues
    in which conversations do we mention stale issues => stale issues
    which chats cover stale issues => stale issues
    which sessions dealt with stale issues => stale issues
    where is the chat about stale issues => stale issues
    find every chat mentioning stale issues => stale issues
    find chats on stale issues => on stale issues
    show sessions related to stale issues => stale issues
    what sessions touched stale issues => stale issues
    any chats about stale issues? => stale issues?
    can you show me the sessions about stale issues => stale issues
    do you remember the session about stale issues => stale issues
    sessions from june about stale issues => about stale issues | since Jun 1 | until Jun 30
    every session about stale issues except in pricing => stale issues | not in pricing
    what did we discuss in pricing last june about stale issues => about stale issues | in pricing | since Jun 1 | until Jun 30
    what did we decide: last week => what did we decide | since Nov 16 | until Nov 22
    npm dist tags from this morning => npm dist tags | since Nov 26
    dashboard palette - this week => dashboard palette | since Nov 23
    since the 1st of june tab counters => tab counters | since Jun 1
    tab counters before june 2026 => tab counters | until May 31
    H2 2025 tab counters => tab counters | since Jul 1, 2025 | until Dec 31, 2025
    june-july 2026 tab counters => tab counters | since Jun 1 | until Jul 31
    tab counters june through july => tab counters | since Jun 1 | until Jul 31
    june and july: tab counters => tab counters | since Jun 1 | until Jul 31
    the last 100 days: tab counters => tab counters | since Aug 18
    during the summer, tab counters => tab counters | since Jun 1 | until Aug 31
    by claude, in pricing, in june: tab counters => tab counters | with Claude Code | in pricing | since Jun 1 | until Jun 30
    tab counters (claude, pricing, june) => tab counters | with Claude Code | in pricing | since Jun 1 | until Jun 30
    tab counters, codex in june => tab counters | with Codex | since Jun 1 | until Jun 30
    last month in pricing with codex: tab counters => tab counters | since Oct 1 | in pricing | with Codex
    tab counters last month in pricing with codex => tab counters | since Oct 1 | in pricing | with Codex
    pricing codex: tab counters => tab counters | in pricing | with Codex
    tab counters @pricing last week => tab counters | in pricing | since Nov 16 | until Nov 22
    @pricing: tab counters => tab counters | in pricing
    @pricing not codex: tab counters => tab counters | in pricing | not with Codex
    tab counters @pricing -codex => tab counters | in pricing | not codex
    tab counters not @pricing => tab counters | not in pricing
    tab counters except @pricing => tab counters | not in pricing
    tab counters except for pricing => tab counters | not in pricing
    tab counters excl. codex => tab counters | not with Codex
    tab counters - not pricing => tab counters | not in pricing
    tab counters everywhere but in pricing => tab counters | not in pricing
    everything about tab counters except pricing => tab counters | not in pricing
    all sessions about tab counters but not pricing => tab counters | not in pricing
    tab counters, all repos except pricing and web-shop => tab counters | not in pricing | not in web-shop
    tab counters outside pricing last week => tab counters | not in pricing | since Nov 16 | until Nov 22
    last week outside pricing: tab counters => tab counters | since Nov 16 | until Nov 22 | not in pricing
    tab counters, with any agent except codex => tab counters | not with Codex
    tab counters, any agent besides codex => tab counters | not with Codex
    claude sessions only: tab counters => tab counters | with Claude Code
    only claude sessions: tab counters => tab counters | with Claude Code
    only sessions from pricing: tab counters => tab counters | in pricing
    only sessions with codex: tab counters => tab counters | with Codex
    sessions with codex: tab counters => tab counters | with Codex
    sessions in pricing: tab counters => tab counters | in pricing
    sessions from june: tab counters => tab counters | since Jun 1 | until Jun 30
    only sessions from june: tab counters => tab counters | since Jun 1 | until Jun 30
    just mine: tab counters => tab counters | in your own words
    only my side: tab counters => tab counters | in your own words
    only my messages, last week: tab counters => tab counters | in your own words | since Nov 16 | until Nov 22
    my own words, in pricing: tab counters => tab counters | in your own words | in pricing
    tab counters, my own words, june => tab counters | in your own words | since Jun 1 | until Jun 30
    what did I say last week about tab counters => about tab counters | in your own words | since Nov 16 | until Nov 22
    what I said in june: tab counters => tab counters | in your own words | since Jun 1 | until Jun 30
    what did I tell codex last month about tab counters => about tab counters | in your own words | with Codex | since Oct 1
    did I mention tab counters in june => tab counters | in your own words | since Jun 1 | until Jun 30
    have I ever told claude about tab counters => tab counters | in your own words | with Claude Code
    have I ever said that tab counters flicker => that tab counters flicker | in your own words
    all I wrote on tab counters in pricing => tab counters | in your own words | in pricing
    did we talk about tab counters in june => tab counters | since Jun 1 | until Jun 30
    in which codex sessions did we touch tab counters => tab counters | with Codex
    in which pricing sessions did we discuss tab counters => tab counters | in pricing
    list every codex session that mentions tab counters => tab counters | with Codex
    list all claude chats about tab counters => about tab counters | with Claude Code
    find all sessions since june that mention tab counters => tab counters | since Jun 1
    show me every chat in pricing where we talked about tab counters => tab counters | in pricing
    tab counters, since june, until july => tab counters | since Jun 1 | until Jul 31
    since june, not after july: tab counters => tab counters | since Jun 1 | until Jul 31
    after june but before august: tab counters => tab counters | since Jul 1 | until Jul 31
    between june and august: tab counters => tab counters | since Jun 1 | until Aug 31
    last week with codex =>  | since Nov 16 | until Nov 22 | with Codex
    what did i do last friday in pricing => what did i do | since Nov 20 | until Nov 20 | in pricing
    pricing -sandbox: tab counters => tab counters | in pricing | not sandbox
    `),
  )('reads all of them together, and other words for them: %s', async (query, expected) => {
    expect(await summary(query)).toBe(expected);
  });

  it.each([
    'the weekend after 15 june: deploy crash',
    'deploy crash a week before christmas',
    'two days before christmas, deploy crash',
    'deploy crash either in june or in july',
    'deploy crash on the 1st and 2nd of june',
    'deploy crash 03/04/2026',
  ])('reads no time rather than a wrong one: %s', async (query) => {
    expect(await summary(query)).toBe(query);
  });

  it.each([
    'last row is cut off',
    'friday the cron fails',
    'Q1 column is empty',
    '22-24 px gap',
    '1/2 width',
    'except clause python',
    'not found error',
    '@types/node missing',
    'codex not found',
    'claude without network',
    'last item in the list',
    'last commit wins',
    'Q1 2026 column is empty',
    'Q3 2026 revenue chart',
    'first half of the file is cut',
    'second half of the array is skipped',
    '17/02/2026 is parsed as invalid',
    '17/02/2026 format in the date picker',
    '02/17/2026 vs 17/02/2026',
    '22-24 pixels',
    '22-24 node versions',
    '2-3 columns',
    '1-2 ms',
    '10/12/2026 rendered wrong',
    'format 17/02/2026',
    'parse 22-24 feb',
    'weekend days are grey',
    'weekend before the release',
    'day before the deadline reminder',
    'day before yesterday label is wrong',
    'week before first commit',
    'last friday label in the picker',
    'last friday is highlighted in the calendar',
    'friday: closed is shown in the header',
    'february 30 validation',
    'february has 29 days',
    'march through the array',
    'may not be null',
    'august font',
    'june plugin',
    '@media print',
    '@agents tag in slack',
    '@pricing/core cannot be resolved',
    '@web-shop/ui build fails',
    'import @web-shop/ui',
    'email to user@pricing',
    'cc @pricing in the pull request',
    'decorator @phoenix',
    'error: command not found',
    'codex: command not found',
    'claude: permission denied',
    'codex: not logged in',
    'gemini: quota exceeded',
    'warning: unused variable, last',
    'fix: stale issues',
    'feat: add login',
    'docs: mention codex',
    'agents: load the file',
    'tests: not found',
    'types: any, unknown',
    'colours: red, green',
    'sort: last modified',
    'order: newest first, codex second',
    'default: claude',
    'agent: codex not supported',
    'claude, codex',
    'claude, codex, gemini',
    'supports claude, codex and gemini',
    'works with claude, not codex',
    'fails in codex, not in claude',
    'fails everywhere except web-shop',
    'it works everywhere except pricing',
    'everything except the header is grey',
    'everything but the kitchen sink',
    'anything but undefined',
    'all but one test pass',
    'all agents except codex have a logo',
    'try except else',
    'except Exception as e',
    'not null constraint',
    'not a function',
    'without a lock the cache races',
    'without codex the build fails',
    'without claude code installed',
    'ignore list in biome',
    'ignore codex folder',
    'ignoring case in search',
    'leave out the trailing comma',
    'leave out codex from the bundle',
    'exclude agents folder',
    'excluding node_modules',
    'exclude web-shop from the lint',
    'other than that it works',
    'skip codex when it is missing',
    'skip pricing in CI',
    'apart from the header',
    'minus sign in front',
    'no codex binary',
    'no codex sessions found message',
    'why not codex',
    'use claude not codex',
    'prefer codex over claude',
    'codex or claude',
    'codex vs claude',
    'codex instead of claude',
    'claude only mode',
    'codex only flag',
    'only claude reads the file',
    'codex as default',
    'pick codex in the menu',
    'switch from codex to claude',
    'install codex',
    'codex login',
    'codex exec hangs',
    'pi is 3.14',
    'cursor is not visible',
    'cursor: pointer',
    'cursor: not-allowed',
    'gemini key missing',
    'copilot badge',
    'my own words in the header',
    'my own words are cut off',
    'my prompts',
    'only my prompts are saved',
    'my messages overlap',
    'my words: the header of the dictionary',
    'what I typed disappears',
    'what I wrote is lost after reload',
    'what I said is not shown in the transcript view',
    'have I installed it correctly',
    'did I break the build',
    'told you so easter egg',
    'I wrote a parser',
    'I asked claude to fix the parser and it broke',
    'have you tried turning it off',
    'list every endpoint',
    'list every file that mentions the flag',
    'list sessions endpoint',
    'every session has a title',
    'session that expires too early',
    'which chat model is used',
    'in which file is the flag read',
    'in which order are hooks run',
    'in which cases does it fail',
    'chats table migration',
    'mentions are not rendered',
    'touch events on the product tour',
    'discussions tab',
    'last week preset in the date range',
    'this week column',
    'today button',
    'yesterday and today labels',
    'past events are hidden',
    'past due invoices',
    'past tense in commit messages',
    'recent files',
    'recently viewed list',
    'last 5 commits',
    'last 3 lines of the log',
    'last 24 hours chart',
    'last 48 hours filter',
    'past 7 days usage',
    'up to 19 files',
    'up to and including the last row',
    'until the server restarts',
    'before the first render',
    'after the second click',
    'since the upgrade',
    'starting from zero',
    'from 1 to 10',
    'from a to b',
    'between 10 and 20 items',
    'between two commits',
    'in 2025 bytes',
    '2025 roadmap page',
    '2026 calendar',
    'copyright 2026',
    'ES2025 target',
    'node 22-24 support',
    'python 3.11 - 3.13',
    'week 24 of pregnancy app',
    'week view',
    'week number column',
    'Q1',
    'Q1 label',
    'Q4 deadline in the form',
    'h1 heading',
    'half of the tests fail',
    'first half of the video',
    'first quarter of the circle',
    'late binding',
    'early return',
    'mid point rounding',
    'early access page',
    'late arriving events',
    'early may fail',
    'end of file',
    'end of line june',
    'start of the stream',
    'summer theme, winter theme',
    'spring, summer, autumn',
    'monday, tuesday, wednesday',
    'jan, feb, mar',
    'mon-fri opening hours',
    'opening hours: mon-fri',
    'monday first in the calendar',
    'sunday as first day',
    'on friday the cron job fails',
    'cron, every friday',
    'cron: 0 0 * * 5 friday',
    'reminder on the 17th',
    'reminder 17 feb',
    'birthday 17 feb 1990',
    'due date 17 feb',
    'release 17 feb 2026 changelog entry',
    'version 2026-02-17',
    'tag 2026-02-17',
    'model claude-sonnet-2026-02-17',
    'api version 2026-02-17',
    'backup 2026-02-17.tar',
    'git log since yesterday',
    'ls -t, last',
    'at 3pm the job fails',
    'timer for 48 hours',
    'past midnight crash',
    'in agents, the order is wrong',
    'in the agents folder: wrong order',
    'phoenix: trace is empty',
    'the phoenix repo is archived',
    'rename pricing',
    'pricing logo',
    'pricing not found',
    'pricing without network',
    'pricing, phoenix and elastic',
    'compare pricing, phoenix',
    'web-shop, admin, docs',
    'fork pricing',
    'clone web-shop',
    'import from pricing',
    'export to pricing',
    'links from pricing',
    'publish pricing to npm',
    'last migration failed',
    'last known good build',
    'this is broken',
    'this function returns null',
    'past participle rule',
    'previous page button',
    'previous commit sha',
    'recent changes panel',
    'today is not defined',
    "yesterday's date is off by one",
    'friday deploy freeze banner',
    'saturday and sunday columns',
    'monday morning email job',
    'weekend rates in the price table',
    'weekly report job',
    'monthly totals are wrong',
    'day 1 of the sprint',
    'quarter to date metric',
    'half of the rows are missing',
    'half width on mobile',
    'first half is blue, second half is red',
    'january sale banner',
    'may crash on startup',
    'may, might and must',
    'march of progress animation',
    'sep field in csv',
    'dec to hex conversion',
    'mar file loader',
    'jan is a user name',
    'june.ts has a type error',
    '2024-01-01 epoch bug',
    '1970-01-01 shown in the table',
    '3/4 of the width',
    '4-5 stars rating',
    '10-12 px padding',
    '1.2.2026 version string',
    'v2026.2.17 release',
    '2026.02.17 tag',
    'error 2025: device offline',
    'port 2025 in use',
    '2026 tokens max',
    '12:30 shown as 00:30',
    '30 days trial',
    '90 days retention',
    '7 days filter',
    '24h clock format',
    '48 hours expiry',
    'an hour later it fails',
    'two weeks notice clause',
    'in a week the token expires',
    'after a day the cache is stale',
    'until tomorrow banner',
    'before and after hooks',
    'since 1.2 the flag is gone',
    'up to 10 retries',
    'up to date check',
    'through the proxy',
    'no later than node 20',
    'not before install',
    'not after unmount',
    '@ts-ignore in tests',
    '@param missing in jsdoc',
    '@layer base in tailwind',
    '@latest tag on npm',
    '@angular/core version',
    'mail to @web-shop',
    'follow @web-shop on x',
    'the @web-shop handle',
    '@web-shop is mentioned in the footer',
    'web-shop is slow',
    'web-shop: the cart is empty',
    'web-shop, admin',
    'web-shop versus admin',
    'web-shop logo, footer',
    'the web-shop theme',
    'rename web-shop, keep admin',
    'agents, skills and hooks',
    'agents: two of them fail',
    'only web-shop has the bug',
    'not web-shop but admin has the bug',
    'outside the function',
    'outside click closes the menu',
    'skip link in the header',
    'skip tests in ci',
    'minus one off',
    'neither works',
    'no such file',
    'no results found',
    'no codex in PATH',
    'without a token it fails',
    'except when offline',
    'except for the footer',
    'excluding dist from tsc',
    'ignoring errors is bad',
    'leave out empty rows',
    'other than expected',
    'anything but null',
    'lint everything except web-shop',
    'test all repos except web-shop',
    'deploy without web-shop',
    'links from outside web-shop',
    'everything works except codex',
    'it runs in every agent except codex',
    'everything is green but web-shop',
    'tests pass, except in web-shop',
    'the build works, not in web-shop though',
    'add a logo for every agent except codex',
    'codex, gemini and qwen logos',
    'claude: invalid api key',
    'claude code: command not found',
    'codex: error 401',
    'gemini, quota exceeded',
    'copilot, not logged in',
    'pi, tau and e constants',
    'cursor, pointer and hover',
    'with codex, the hook fails',
    'in codex, nothing happens',
    'using claude, it loops',
    'from codex, we get an error',
    'only codex crashes',
    'codex only crashes on windows',
    'codex only supports toml',
    'the codex only flag',
    'claude only reads md',
    'my prompts page',
    'my messages: the badge is wrong',
    'my requests time out',
    'my questions tab',
    'my words counter',
    'only my messages are blue',
    'only my prompts tab',
    'in my own repo',
    'what I said tooltip',
    'what I want is a filter',
    'what i typed is lost',
    'what I asked for is not there',
    'things I see in the log',
    'everything I type is duplicated',
    'all I get is a 404',
    'have I been pwned check',
    'i asked codex to fix the build',
    'I told claude it was wrong',
    'I said no but it deleted the file',
    'messages by me are right aligned',
    'by me filter in the toolbar',
    'said by me',
    'session list, newest first',
    'sessions that expire',
    'sessions which are empty',
    'every chat has an icon',
    'threads in node',
    'which thread runs the callback',
    'which ones are selected',
    'what chats endpoint returns',
    'in which thread does it run',
    'mentions of users are not linked',
    'find out where the session is stored',
    'is there a session cookie',
    'are there any threads left running',
    'do we have a session timeout',
    'list: last week',
    'range: this month',
    'default: yesterday',
    'label: today',
    'filter: codex',
    'agent: claude',
    'repo: web-shop, branch: none',
    'sort: codex, claude',
    'options: today, yesterday, last week',
    'presets (today, yesterday)',
    'holidays (christmas)',
    'key, value, codex',
    'a - b - codex',
    'width (1/2)',
    'title: june',
    'note: codex',
    'first three days of the trial',
    'last two weeks of data in the chart',
    'weekend of service banner',
    'second week column',
    '10.06.2026 version bump',
    '1.2.2026 release notes draft',
    '2026-02-10 to 2026-02-14 format of the range',
    'older than node 18',
    'newer than 1.2',
    'leave codex out of the bundle',
    'leave it out',
    'left out rows are counted',
    'codex is left out of the list',
    'excluded folders list',
    'excluded by gitignore',
    'not just codex needs it',
    'skills for all agents, not just cursor',
    'not only codex fails',
    'rather than polling use events',
    'codex rather than claude is the default',
    'codex instead of claude in the picker',
    'why was codex missing from the list',
    'why was cursor cli output missing',
    'codex told the user to log in',
    'codex answer is cut off',
    "codex's answer overlaps the input",
    'web-shop sessions expire',
    'all web-shop sessions time out',
    'web-shop sessions table',
    'user sessions about page',
    'admin sessions about to expire',
    'in web-shop and pricing the tax differs',
    'in web-shop or pricing',
    '[web-shop] is printed before each line',
    '[codex] prefix in the log',
    '(codex) suffix in the title',
    'mine is slower',
    'mine, yours, theirs',
    'by me and others',
    'my side of the merge',
    'on my side it works',
    'user messages only on the left',
    'users side panel',
    'something I broke',
    'something I said no to',
    'the prompt I use for reviews',
    'the question mark is missing',
    'the message where it fails',
    'all I want',
    'in which file do we set the timeout',
    'which session cookie is used',
    'where is the session stored',
    'where are sessions written',
    'what do we have in common',
    'have I seen this error before',
    'did I push the branch',
    'please fix the header',
    'skip, please',
    'no, codex is fine',
    'not now',
    'without further ado',
    'fix the parser, without codex it cannot run',
    'update docs, except the changelog',
    'run all tests except e2e',
    'run evals for all repos except web-shop',
    'copy to every repo but pricing',
    'remove codex, keep claude',
    'codex, then claude, then gemini',
    'from codex to claude',
    'import sessions from codex, gemini',
    'export for claude, codex',
    'supports: claude, codex',
    'agents: claude, codex',
    'tested with codex, claude',
    'compare with codex, june numbers',
    'june numbers, july numbers',
    'Q3 numbers, Q4 numbers',
    'friday, saturday',
    'on friday, saturday and sunday',
    'every monday',
    'monday: closed',
    'yesterday, today, tomorrow',
    'last, first and middle name',
    'last name, first name',
    'year, month, day',
    '2025, 2026',
    'sort by year, 2026 first',
    'copyright (2026)',
    '(c) 2026',
    'date: 2026-02-17',
    'created: 2026-02-17',
    'updated 2026-02-17, created 2026-02-10',
    'due: friday',
    'deadline friday',
    'eta: next week',
    'next week',
    'tomorrow',
    'in two weeks',
    'in the future',
    'from now on',
    'up to now',
    'until now it worked',
    'so far so good',
    'a day in the life',
    'day and night mode',
    'night mode',
    'morning email',
  ])('leaves a topic alone that looks like a restriction: %s', async (query) => {
    expect(await summary(query)).toBe(query);
  });
});
