import { describe, expect, it } from 'vitest';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../../support/machines/world.ts';
import {
  type ClaudeLine,
  line,
  stampLines,
  toolPair,
  writeClaude,
} from '../../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';

const TALK_AND_WORK = {
  talk: [line.user('Shard the table'), line.assistant('One could.')],
  work: [line.user('Shard the table'), ...toolPair('Edit', { file_path: '/home/dev/widgets/a.ts' }, 'ok')],
};

describe('a search with more than a topic', () => {
  it('leaves out sessions that contain an excluded word, and says so', async () => {
    const parts = await withSessions({
      helm: [line.user('Deploy with kubernetes'), line.assistant('Deployed.')],
      plain: [line.user('Deploy over ssh'), line.assistant('Deployed.')],
    });
    const { results, understood, query } = await searchWorld(parts, 'deploy -kubernetes', NOW);
    expect(results.map(({ session_id }) => session_id)).toEqual(['plain']);
    expect(understood).toEqual([
      { kind: 'not', value: 'kubernetes', from: '-kubernetes', text: 'not kubernetes' },
    ]);
    expect(query).toBe('deploy -kubernetes');
  });

  it('leaves out the sessions of a repository whose name is excluded, though they do not contain it', async () => {
    const parts = await withSessions({ one: [line.user('Deploy over ssh')] });
    expect((await searchWorld(parts, 'deploy -engine', NOW)).results).toHaveLength(1);
    const { results, notices } = await searchWorld(parts, 'git deploy -widgets', NOW);
    expect(results).toEqual([]);
    expect(notices.map(({ message }) => message)).toContain(
      'exclusions removed every result: 1 session contains "widgets" or is in widgets',
    );
  });

  it('leaves out texts and sessions excluded by the request, matching adjacent words', async () => {
    const parts = await withSessions({
      apart: [line.user('Deploy: the rate has a limit')],
      together: [line.user('Deploy the rate limit')],
      other: [line.user('Deploy the docs')],
    });
    const { results, understood } = await searchWorld(
      parts,
      { query: 'deploy', not: ['rate limit'], exclude: ['other'] },
      NOW,
    );
    expect(results.map(({ session_id }) => session_id)).toEqual(['apart']);
    expect(understood.map(({ text }) => text)).toEqual(['not "rate limit"', 'not session other']);
  });

  it('shows once what is said twice', async () => {
    const parts = await withSessions({
      one: [line.user('Deploy the rate limit')],
      two: [line.user('Deploy with kubernetes')],
    });
    const { results, understood } = await searchWorld(
      parts,
      { query: '"deploy" "deploy" -kubernetes', not: ['kubernetes', ' '], exclude: ['two', 'two'] },
      NOW,
    );
    expect(results.map(({ session_id }) => session_id)).toEqual(['one']);
    expect(understood.map(({ text }) => text)).toEqual(['"deploy"', 'not kubernetes', 'not session two']);
  });

  it('refuses to exclude an unknown session', async () => {
    const parts = await withSessions({ one: [line.user('Deploy')] });
    await expect(searchWorld(parts, { query: 'deploy', exclude: ['nowhere'] }, NOW)).rejects.toThrow(
      /no indexed session has an id that begins with "nowhere"/,
    );
  });

  it('says if an exclusion leaves no results', async () => {
    const parts = await withSessions({ one: [line.user('Deploy with kubernetes')] });
    const { results, notices } = await searchWorld(parts, 'deploy -kubernetes', NOW);
    expect(results).toEqual([]);
    expect(notices.find(({ code }) => code === 'ALL_EXCLUDED')?.message).toBe(
      'exclusions removed every result: 1 session contains "kubernetes"',
    );
    const outside = await searchWorld(parts, 'kubernetes not in widgets', NOW);
    expect(outside.results).toEqual([]);
    expect(outside.notices).toContainEqual(
      expect.objectContaining({
        code: 'ALL_EXCLUDED',
        message: 'exclusions removed every result: 1 session is in widgets',
      }),
    );
  });

  it('says if there is no repository of a name, unless sessions have the word', async () => {
    const parts = await withSessions({ one: [line.user('Deploy from the same machine')] });
    const messages = async (query: string) =>
      (await searchWorld(parts, query, NOW)).notices.flatMap(({ code, message }) =>
        code === 'FILTER_UNMATCHED' ? [message] : [],
      );
    expect(await messages('deploy in the nosuch repo')).toEqual([
      'no session has the repository "nosuch", only widgets',
    ]);
    expect(await messages('deploy in the widgtes repo')).toEqual([
      'no session has the repository "widgtes": did you mean "widgets"?',
    ]);
    expect(await messages('deploy on branch fix/nosuch')).toEqual([
      'no session has the branch "fix/nosuch", only main',
    ]);
    for (const query of ['deploy in the same repo', 'deploy in nosuch', 'deploy in the widgets repo'])
      expect(await messages(query), query).toEqual([]);
  });

  it.each([
    ['deploy repo:widgtes', 'in widgtes', 'no session has the repository "widgtes": did you mean "widgets"?'],
    ['deploy -repo:nosuch', 'not in nosuch', 'no session has the repository "nosuch", only widgets'],
    ['deploy agent:codx', 'with codx', 'no session has the agent "codx", only claude'],
    ['deploy -agent:codex', 'not with Codex', 'no session has the agent "codex", only claude'],
    ['deploy -lang:pyton', 'not pyton code', 'no session has the language "pyton": did you mean "python"?'],
    ['deploy lang:pyton', 'pyton code', 'no session has the language "pyton": did you mean "python"?'],
  ])('says that a filter of an unknown name was ignored: %s', async (query, text, message) => {
    const parts = await withSessions({ one: [line.user('Deploy the pump, deploy the valve')] });
    const { notices, understood, ignored, results, fit } = await searchWorld(parts, query, NOW);
    expect(notices).toContainEqual({ code: 'FILTER_UNMATCHED', message });
    const from = query.slice('deploy '.length);
    expect([understood, ignored]).toEqual([[], [expect.objectContaining({ from, text })]]);
    expect(results.map(({ session_id }) => session_id)).toEqual(['one']);
    // What is not wanted is not there; what is wanted is not there either.
    expect(fit).toEqual(
      query.includes('-')
        ? expect.objectContaining({ level: 'strong' })
        : { level: 'nothing', text: message },
    );
  });

  it('searches for what looks like a filter if sessions have it', async () => {
    const parts = await withSessions({ one: [line.user('The image is repo:latest')] });
    const { notices, ignored, results } = await searchWorld(parts, 'image repo:latest', NOW);
    expect(notices.filter(({ code }) => code === 'FILTER_UNMATCHED')).toEqual([]);
    expect([ignored, results.length]).toEqual([undefined, 1]);
  });

  it('takes the dotted name of a package for text, also where no session has it', async () => {
    const parts = await withSessions({ one: [line.user('The image is broken, quokka')] });
    const dotted = await searchWorld(parts, 'error in package repo:org.acme.cart, quokka', NOW);
    expect([dotted.notices.filter(({ code }) => code === 'FILTER_UNMATCHED'), dotted.ignored]).toEqual([
      [],
      undefined,
    ]);
    const named = await searchWorld(parts, 'image repo:cart.js, quokka', NOW);
    expect(named.ignored).toHaveLength(1);
  });

  it('finds every session with a quoted text that very many passages contain', async () => {
    const many = Array.from({ length: 430 }, (_, at): [string, ClaudeLine[]] => [
      `long-${at}`,
      [line.user(`Valve valve valve ${at}`)],
    ]);
    const once = 'Turn the pump, the pipe, the tap and at last one valve.';
    const parts = await withSessions({ ...Object.fromEntries(many), once: [line.user(once)] });
    const { results } = await searchWorld(parts, 'pump "valve"', NOW);
    expect(results[0]?.session_id).toBe('once');
  });

  it('requires quoted texts literally, and searches for the words of one that occurs nowhere', async () => {
    const parts = await withSessions({
      exact: [line.user('It says: undefined is not a function')],
      loose: [line.user('A function is undefined here, not there')],
    });
    const exact = await searchWorld(parts, 'crash "undefined is  not a FUNCTION"', NOW);
    expect(exact.results.map(({ session_id }) => session_id)).toEqual(['exact']);
    const nowhere = await searchWorld(parts, '"function undefined is"', NOW);
    expect(nowhere.results).toHaveLength(2);
    expect(nowhere.understood).toEqual([]);
    expect(nowhere.notices.map(({ message }) => message)).toContain(
      'no session contains "function undefined is": searched for its words',
    );
  });

  it('finds and excludes a text with accents in either Unicode form', async () => {
    const parts = await withSessions({
      composed: [line.user('Open the café menu'.normalize('NFC'))],
      decomposed: [line.user('Open the café menu'.normalize('NFD'))],
      other: [line.user('Open the tea room menu')],
    });
    for (const form of ['NFC', 'NFD']) {
      const { results } = await searchWorld(parts, '"the café"'.normalize(form), NOW);
      expect(results.map(({ session_id }) => session_id).sort()).toEqual(['composed', 'decomposed']);
      const without = await searchWorld(parts, 'menu -café'.normalize(form), NOW);
      expect(without.results.map(({ session_id }) => session_id)).toEqual(['other']);
    }
  });

  it('filters by a time and a branch named in words, and ignores filters that match nothing', async () => {
    const parts = await withSessions({
      old: { lines: [line.user('Deploy the docs')], start: '2026-05-03T10:00:00.000Z' },
      new: { lines: [line.user('Deploy the docs')], start: '2026-07-28T10:00:00.000Z', branch: 'feat/docs' },
    });
    const ids = async (query: string) =>
      (await searchWorld(parts, query, NOW)).results.map(({ session_id }) => session_id);
    expect(await ids('deploy docs in May')).toEqual(['old']);
    expect(await ids('deploy docs on branch feat/docs')).toEqual(['new']);
    expect(await ids('what did I do this week')).toEqual(['new']);
    const { results, notices, understood, ignored, fit } = await searchWorld(
      parts,
      'deploy docs in March',
      NOW,
    );
    expect(results).toHaveLength(2);
    const message = 'nothing from Mar 1 to Mar 31; the newest session is from Jul 28';
    expect(notices.map((notice) => notice.message)).toContain(message);
    expect(understood).toEqual([]);
    expect(ignored?.map(({ text }) => text)).toEqual(['since Mar 1', 'until Mar 31']);
    expect(fit).toEqual({ level: 'nothing', text: message });
    for (const result of results)
      expect(result).toMatchObject({ recommended: false, certainty: null, strength: null });
  });

  it('names the newest session of all, not of the results, only if none is of the time', async () => {
    const parts = await withSessions({
      old: { lines: [line.user('Deploy the docs')], start: '2026-05-03T10:00:00.000Z' },
      new: { lines: [line.user('Rename the tables')], start: '2026-07-20T10:00:00.000Z' },
    });
    const messages = async (query: string) =>
      (await searchWorld(parts, query, NOW)).notices.map(({ message }) => message);
    expect(await messages('deploy docs on March 3')).toContain(
      'nothing on Mar 3; the newest session is from Jul 20',
    );
    expect(await messages('deploy docs in July')).toContain(
      'nothing from Jul 1 to Jul 31; the closest are without that filter',
    );
  });

  it('finds only what the user said, if the query or the request asks for that', async () => {
    const parts = await withSessions({
      mine: [line.user('Which valve do we turn?'), line.assistant('The left one.')],
      theirs: [line.user('Go on'), line.assistant('I turned the valve.')],
    });
    const ids = async (request: Parameters<typeof searchWorld>[1]) =>
      (await searchWorld(parts, request, NOW)).results.map(({ session_id }) => session_id).sort();
    expect(await ids('valve')).toEqual(['mine', 'theirs']);
    expect(await ids('what did I ask about the valve')).toEqual(['mine']);
    expect(await ids({ query: 'valve', mine: true })).toEqual(['mine']);
    expect(await ids({ query: 'left', mine: true })).toEqual([]);
    const asked = await searchWorld(parts, 'what did I say about left', NOW);
    expect(asked.notices.map(({ message }) => message)).toContain(
      'nothing in your own words; the closest are without that filter',
    );
  });

  it('lists the newest sessions without an excluded text if the query says nothing else', async () => {
    const parts = await withSessions({
      one: [line.user('Deploy with kubernetes')],
      two: [line.user('Deploy with compose')],
    });
    const { results } = await searchWorld(parts, '-kubernetes', NOW);
    expect(results.map(({ session_id }) => session_id)).toEqual(['two']);
  });

  it('returns only sessions with the outcome named in the query', async () => {
    const parts = await withSessions(TALK_AND_WORK);
    const { results } = await searchWorld(parts, 'the session that changed files: shard table', NOW);
    expect(results.map(({ session_id }) => session_id)).toEqual(['work']);
  });

  it('keeps the outcome that the request asks for if a filter in the query matches nothing', async () => {
    const parts = await withSessions(TALK_AND_WORK);
    const request = { query: 'shard table yesterday', outcomes: ['discussed' as const] };
    const { results, notices } = await searchWorld(parts, request, NOW);
    expect(notices.map(({ code }) => code)).toContain('NOTHING_RESTRICTED');
    expect(results.map(({ session_id }) => session_id)).toEqual(['talk']);
  });

  it('counts ranks from 1 if a query names only the outcome', async () => {
    const parts = await withSessions({
      ...TALK_AND_WORK,
      more: [line.user('Shard it'), line.assistant('One could.')],
    });
    for (const query of ['the sessions where we only discussed', 'the sessions that changed files']) {
      const { results } = await searchWorld(parts, query, NOW);
      expect(results.map(({ rank }) => rank)).toEqual(results.map((_, index) => index + 1));
    }
  });

  it('searches for every word with literal', async () => {
    const parts = await withSessions({
      helm: [line.user('Deploy with kubernetes')],
      week: [line.user('Show the last week')],
    });
    const { results, understood } = await searchWorld(
      parts,
      { query: 'kubernetes last week -deploy', literal: true },
      NOW,
    );
    expect(results.map(({ session_id }) => session_id).sort()).toEqual(['helm', 'week']);
    expect(understood).toEqual([]);
  });

  it('searches for the words of contradictory times, and says so', async () => {
    const parts = await withSessions({ one: [line.user('Deploy the chart last week')] });
    const query = 'deploy last week before 23 January, 2023';
    const { results, understood, notices } = await searchWorld(parts, { query }, NOW);
    expect(results.map(({ session_id }) => session_id)).toEqual(['one']);
    expect(understood).toEqual([]);
    expect(notices).toContainEqual({
      code: 'TIMES_CONTRADICT',
      message: 'no session is both "last week" and "before 23 January, 2023": searched for these words',
    });
  });

  it('refuses contradictory filters', async () => {
    const parts = await withSessions({ one: [line.user('Deploy')] });
    const filter = { since: '2026-06-01T00:00:00.000Z', until: '2026-05-01T00:00:00.000Z' };
    await expect(searchWorld(parts, { query: 'deploy', filter }, NOW)).rejects.toThrow(/no session is both/);
  });
});

type Session = ClaudeLine[] | { lines: ClaudeLine[]; start: string; branch?: string };

async function withSessions(sessions: Record<string, Session>) {
  const world = createWorld();
  for (const [id, session] of Object.entries(sessions)) {
    const { lines, ...stamps } = Array.isArray(session) ? { lines: session } : session;
    writeClaude(world.claudeHome, id, stampLines(lines, { sessionId: id, ...stamps }));
  }
  const parts = await openWorld(world);
  await indexWorld(parts);
  return parts;
}
