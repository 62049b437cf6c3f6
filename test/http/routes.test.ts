import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  editedFiles,
  fileDiff,
  filesOfSessions,
  outline,
  retrieved,
  sessionHtml,
  sessionView,
  turnWindow,
} from '../../src/domain/json/conversation.ts';
import { forkTree, madeFork, preflight } from '../../src/domain/json/fork.ts';
import { activeDays, ideaList, recalled, sessionTopics } from '../../src/domain/json/memory.ts';
import { searchResponse } from '../../src/domain/json/search.ts';
import { markedSession, sessionList } from '../../src/domain/json/session.ts';
import { doctor, settingsList, stats, status, usageReport } from '../../src/domain/json/state.ts';
import { shortIdsShape } from '../../src/http/short-ids.ts';
import { CARDS, claudeLines } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

interface OpenApi {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
}

let server: Served;

beforeAll(async () => {
  server = await serveWorld();
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const session = `/api/v1/sessions/${CARDS}`;

const routes: [string, z.ZodType][] = [
  ['/api/v1/search?q=token%20usage%20cards', searchResponse],
  ['/api/v1/sessions?limit=3', sessionList],
  [session, sessionView.extend(shortIdsShape)],
  [`${session}/html`, sessionHtml],
  ['/api/v1/files', filesOfSessions],
  [`${session}/turns?count=3`, turnWindow],
  [`${session}/outline?query=cards`, outline],
  [`${session}/context?query=cards&max_tokens=500`, retrieved],
  [`${session}/files`, editedFiles],
  [`${session}/forks`, forkTree.and(z.object(shortIdsShape))],
  [`${session}/preflight`, preflight],
  ['/api/v1/ideas?kind=decision', ideaList.extend(shortIdsShape)],
  ['/api/v1/ideas?q=token%20usage%20cards', ideaList],
  ['/api/v1/ideas?open=1&limit=5', ideaList],
  ['/api/v1/recall?q=token%20usage%20cards', recalled],
  [`/api/v1/topics?session=${CARDS}`, sessionTopics],
  ['/api/v1/days?days=3660', activeDays],
  ['/api/v1/usage', usageReport],
  ['/api/v1/stats', stats],
  ['/api/v1/status', status],
  ['/api/v1/doctor', doctor],
  ['/api/v1/health', status],
  ['/api/v1/settings', settingsList],
  ['/stats', stats],
  [`/sessions/${CARDS}`, sessionView],
];

describe('the interface at /api/v1', () => {
  it.each(routes)('answers %s as its schema says', async (path, schema) => {
    const answer = await server.ask(path);
    expect(answer.status, answer.text).toBe(200);
    expect(() => schema.parse(answer.json)).not.toThrow();
  });

  it('rejects an unknown parameter, in the URL and in the body', async () => {
    expect((await server.ask('/api/v1/sessions?repoo=web-shop')).json.detail).toBe(
      'invalid arguments: unknown: repoo',
    );
    expect((await server.ask('/api/v1/events?since=1d')).json.detail).toBe(
      'invalid arguments: unknown: since',
    );
    const body = { query: 'token usage', top_k: 5 };
    expect((await server.ask('/chunks/search', { body })).json.detail).toBe(
      'invalid arguments: unknown: top_k',
    );
  });

  it('names the methods of a path when it is requested with another', async () => {
    const answer = await server.ask(`/api/v1/sessions/${CARDS}/tags`, { method: 'POST', body: { tags: [] } });
    expect([answer.status, answer.json.detail]).toEqual([405, 'POST is not allowed here; use PUT']);
    expect(answer.headers.allow).toBe('PUT');
    for (const [path, method] of [
      ['/api/v1/events', 'POST'],
      ['/openapi.json', 'POST'],
      ['/auth/exchange', 'PUT'],
      ['/auth/code', 'GET'],
    ] as const)
      expect((await server.ask(path, { method })).status, path).toBe(405);
    expect((await server.ask('/api/v1/nothing')).status).toBe(404);
  });

  it('describes in our own words what is wrong with a parameter', async () => {
    const detail = async (path: string) => (await server.ask(path)).json.detail;
    expect(await detail('/api/v1/search')).toBe('invalid arguments: q: expected text, found nothing');
    expect(await detail('/api/v1/search?q=x&limit=201')).toBe(
      'invalid arguments: limit: expected at most 200, found 201',
    );
    expect(await detail('/api/v1/ideas?kind=idea')).toContain('solution, todo, or context, found');
    const { paths } = (await server.ask('/openapi.json')).json as OpenApi;
    for (const [path, { get }] of Object.entries(paths))
      for (const { name } of (get?.parameters ?? []).filter((one) => one.in === 'query'))
        for (const value of ['', 'abc', '-1', '1e99', 'x'.repeat(5000)]) {
          const { status, text } = await server.ask(`${path.replace('{id}', CARDS)}?${name}=${value}`);
          if (status === 200) continue;
          expect(status, `${path} ${name}=${value}: ${text}`).toBeLessThan(500);
          expect(text).not.toMatch(/Invalid|Too (?:big|small)|received|undefined|NaN|found null/);
        }
  });

  it('searches like the command line', async () => {
    const words = ['add', 'token', 'usage', 'cards', 'to', 'my', 'dashboard'];
    const printed = JSON.parse(
      await server.world.run('search', ...words, '--json', '--everywhere', '-n', '5'),
    );
    const { json } = await server.ask(`/api/v1/search?q=${words.join('%20')}&limit=5`);
    expect(searchResponse.parse(printed)).toEqual(printed);
    const ids: string[] = printed.results.map((one: { session_id: string }) => one.session_id);
    const short_ids = Object.fromEntries(ids.map((id) => [id, id.slice(0, 8)]));
    expect({ ...json, took_ms: 0 }).toEqual({ ...printed, short_ids, titles: {}, took_ms: 0 });
    const byBody = await server.ask('/api/v1/search', { body: { q: words.join(' '), limit: 5 } });
    expect({ ...byBody.json, took_ms: 0 }).toEqual({ ...printed, short_ids, titles: {}, took_ms: 0 });
  });

  it('leaves out sessions by their ids', async () => {
    const ids = async (path: string, body?: object) =>
      (await server.ask(path, body && { body })).json.results.map(
        ({ session_id }: { session_id: string }) => session_id,
      );
    const all = await ids('/api/v1/search?q=token%20usage%20cards');
    const without = all.slice(1);
    const start = all[0].slice(0, 8);
    expect(await ids(`/api/v1/search?q=token%20usage%20cards&exclude=${start}`)).toEqual(without);
    const body = { q: 'token usage cards', exclude: [all[0]] };
    expect(await ids('/api/v1/search', body)).toEqual(without);
    const unknown = await server.ask('/api/v1/search?q=cards&exclude=nothing');
    expect(unknown).toMatchObject({ status: 404, json: { code: 'SESSION_NOT_FOUND' } });
  });

  it('answers from memory as the command line does', async () => {
    const { world, ask } = server;
    const printed = JSON.parse(await world.run('recall', 'token', 'usage', 'cards', '--json'));
    expect(recalled.parse(printed)).toEqual(printed);
    expect(printed.groups).not.toEqual([]);
    const { json } = await ask('/api/v1/recall?q=token%20usage%20cards');
    expect({ ...json, took_ms: 0 }).toMatchObject({ ...printed, took_ms: 0 });
    expect(json.short_ids[CARDS]).toBe(CARDS.slice(0, 8));
    const topics = await ask(`/api/v1/topics?session=${CARDS}`);
    expect(topics.json).toEqual(JSON.parse(await world.run('topics', CARDS, '--json')));
    expect(topics.json.sessions[0].topics).not.toEqual([]);
    const left = JSON.parse(await world.run('open', '--json', '-n', '500'));
    const open = await ask('/api/v1/ideas?open=1&limit=500');
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const flat = left.sessions.flatMap(({ ideas }: { ideas: { id: string }[] }) => ideas);
    expect(flat).not.toEqual([]);
    expect(open.json.ideas.toSorted(byId)).toEqual(flat.toSorted(byId));
  });

  it('lists ideas of one kind and repository, newest first', async () => {
    const { json } = await server.ask('/api/v1/ideas?limit=500');
    const times = json.ideas.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());
    const [first] = json.ideas;
    const { json: same } = await server.ask(`/api/v1/ideas?kind=${first.kind}&limit=500`);
    expect(same.ideas).toEqual(json.ideas.filter(({ kind }: { kind: string }) => kind === first.kind));
    expect((await server.ask('/api/v1/ideas?kind=idea')).json).toMatchObject({ status: 400, code: 'USAGE' });
  });

  it('lists by day the sessions that ended, their commits, decisions and open todos', async () => {
    const { json } = await server.ask('/api/v1/days?days=3660');
    type Day = { date: string; sessions: unknown[]; commits: unknown[]; decisions: unknown[] };
    const days: Day[] = json.days;
    const { json: all } = await server.ask('/api/v1/stats');
    expect([days.flatMap(({ sessions }) => sessions).length, json.left]).toEqual([all.sessions, 0]);
    expect(days.flatMap(({ commits }) => commits)).not.toEqual([]);
    const dates = days.map(({ date }) => date);
    expect(dates).toEqual(dates.toSorted().reverse());
    const { json: none } = await server.ask('/api/v1/days?days=3660&repo=ledger-api');
    expect(none.days.length).toBeLessThan(days.length);
  });

  it('lists the days of so many sessions, and says how many are older', async () => {
    const { json: all } = await server.ask('/api/v1/stats');
    const { json: newest } = await server.ask('/api/v1/sessions?limit=1');
    const { json } = await server.ask('/api/v1/days?limit=1');
    expect(json.days[0].sessions[0].session_id).toBe(newest.sessions[0].session_id);
    const shown = json.days.flatMap(({ sessions }: { sessions: unknown[] }) => sessions).length;
    expect(json.left).toBe(all.sessions - shown);
    expect(json.left).toBeGreaterThan(0);
    expect((await server.ask('/api/v1/days?days=1')).json).toMatchObject({ days: [], left: 0 });
  });

  it('says how much of the model’s context a session takes', async () => {
    const { json } = await server.ask(`/api/v1/sessions/${CARDS}`);
    const { json: flight } = await server.ask(`/api/v1/sessions/${CARDS}/preflight`);
    expect(json.context).toEqual(flight.facts.context);
    expect(json.context.tokens).toBeGreaterThan(1000);
  });

  it('counts each request of a model in an hour of the week', async () => {
    const { json } = await server.ask('/api/v1/usage');
    type Hour = { weekday: number; hour: number; requests: number };
    const hours: Hour[] = json.by_hour;
    expect(hours.reduce((sum, { requests }) => sum + requests, 0)).toBe(json.totals.requests);
    const days = new Set(
      json.by_day.map(({ value }: { value: string }) => new Date(`${value}T12:00:00`).getDay()),
    );
    expect(new Set(hours.map(({ weekday }) => (weekday + 1) % 7))).toEqual(days);
  });

  it('shortens ids like the command line, longer if another session begins alike', async () => {
    const { world, ask } = server;
    const alike = CARDS.replace('-3dcc-', '-3999-');
    world.transcript(alike, claudeLines(alike, world.project, [{ user: 'Oil the weather vane' }]));
    await world.run('index', '--no-embed');
    const short = CARDS.slice(0, 11);
    for (const path of [session, `${session}/forks`])
      expect((await ask(path)).json.short_ids, path).toMatchObject({ [CARDS]: short });
    const { json } = await ask('/api/v1/ideas?limit=500');
    expect(json.ideas.map((idea: { session_id: string }) => idea.session_id)).toContain(CARDS);
    expect(json.short_ids[CARDS]).toBe(short);
    expect(await world.run('show', CARDS)).toContain(short);
    await world.run('forget', alike, '--yes');
  });

  interface Count {
    value: string;
    count: number;
  }

  it('counts the sessions that a query finds by repository, agent, branch and month', async () => {
    const { json: all } = await server.ask('/api/v1/search?q=cards&limit=200');
    const found = new Map<string, number>();
    for (const { repo_name } of all.results) found.set(repo_name, (found.get(repo_name) ?? 0) + 1);
    const { json } = await server.ask('/api/v1/search?q=cards&facets=1&repo=ledger-api');
    // Of all repositories, so that others can be chosen instead.
    const counted = json.facets.repo.map(({ value, count }: Count) => [value, count]);
    expect(new Map(counted)).toEqual(found);
    expect(found.size).toBeGreaterThan(1);
    expect(json.facets.agent.reduce((sum: number, { count }: Count) => sum + count, 0)).toBe(
      found.get('ledger-api'),
    );
    const { json: stats } = await server.ask('/api/v1/stats');
    expect([...found.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(stats.sessions);
  });

  it('lists the files edited lately, each with the sessions that edited it', async () => {
    const { json } = await server.ask('/api/v1/files?repo=harbor-dashboard&limit=3');
    const { json: all } = await server.ask('/api/v1/files?repo=harbor-dashboard&limit=500');
    expect(json.files).toEqual(all.files.slice(0, 3));
    expect(json.left).toBe(all.files.length - 3);
    const times = all.files.map(({ edited_at }: { edited_at: string }) => edited_at);
    expect(times).toEqual([...times].sort().reverse());
    for (const { sessions } of json.files) {
      const [{ session_id, path }] = sessions;
      const { json: own } = await server.ask(`/api/v1/sessions/${session_id}/files`);
      expect(own.files.map((file: { path: string }) => file.path)).toContain(path);
    }
  });

  it('lists all sessions page by page', async () => {
    const ids: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Awaited<ReturnType<Served['ask']>> = await server.ask(
        `/api/v1/sessions?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      ids.push(...page.json.sessions.map((one: { session_id: string }) => one.session_id));
      cursor = page.json.cursor;
    }
    const { json } = await server.ask('/api/v1/stats');
    expect(new Set(ids).size).toBe(json.sessions);
    expect(ids).toHaveLength(json.sessions);
  });

  it('sets the tags of a session', async () => {
    const put = await server.ask(`${session}/tags`, { method: 'PUT', body: { tags: ['Baseline', '#auth'] } });
    expect(put.json.tags).toEqual(['auth', 'baseline']);
    expect((await server.ask(session)).json.session.tags).toEqual(['auth', 'baseline']);
    await server.ask(`${session}/tags`, { method: 'PUT', body: { tags: [] } });
    expect((await server.ask(session)).json.session.tags).toEqual([]);
  });

  it('writes and removes a session’s note and star, and keeps them when tags are set', async () => {
    const put = (what: string, body: unknown) => server.ask(`${session}/${what}`, { method: 'PUT', body });
    const noted = await put('note', { text: 'the first  attempt' });
    expect(markedSession.parse(noted.json)).toEqual(noted.json);
    expect(noted.json).toMatchObject({ note: 'the first attempt', starred: false });
    expect((await put('star', { starred: true })).json).toMatchObject({ starred: true });
    expect((await put('tags', { tags: ['auth'] })).json.tags).toEqual(['auth']);
    const printed = JSON.parse(await server.world.run('note', CARDS, '--json'));
    const marks = { note: 'the first attempt', starred: true, tags: ['auth'] };
    expect(printed).toEqual({ session_id: CARDS, ...marks });
    expect((await put('note', { text: 'x'.repeat(301) })).json).toMatchObject({ status: 400, code: 'USAGE' });
    await put('note', { text: '' });
    await put('tags', { tags: [] });
    const last = await put('star', { starred: false });
    expect(last.json).toEqual({ session_id: CARDS, note: null, starred: false, tags: [] });
  });

  it('returns a fork command without recording it, and records it on request', async () => {
    const planned = await server.ask(`${session}/preflight?turn=1`);
    expect(planned.json).toMatchObject({ way: 'turn', launches: false });
    expect(planned.json.command).toContain(`smart-fork fork ${CARDS} --at 1 --exec`);
    const made = await server.ask(`${session}/fork`, { body: { query: 'cards', rank: 1 } });
    expect(() => madeFork.parse(made.json)).not.toThrow();
    expect(made.json.command).toContain('--fork-session');
  });

  it('refuses to open a terminal if none is configured', async () => {
    const { status: code, json } = await server.ask(`${session}/launch`, { body: {} });
    expect([code, json.code]).toEqual([409, 'NO_TERMINAL']);
  });
});

describe('the routes in the requirements', () => {
  it('finds passages, and queues sessions to be indexed, at the routes in the requirements', async () => {
    const { json } = await server.ask('/chunks/search', { body: { query: 'token usage cards', limit: 3 } });
    expect(json.chunks).toHaveLength(3);
    expect(json.chunks[0]).toMatchObject({ session_id: CARDS, text: expect.stringContaining('token') });
    const queued = await server.ask('/sessions/index', { body: { session_id: CARDS } });
    expect([queued.status, queued.json]).toEqual([202, { queued: true, session_id: CARDS }]);
  });
});

describe('errors', () => {
  it('returns errors as problem documents with our code and hint', async () => {
    const missing = await server.ask('/api/v1/sessions/00000000-none');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expect(missing.json).toMatchObject({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'SESSION_NOT_FOUND',
      hint: expect.stringContaining('smart-fork sessions'),
    });
    const wrong = await server.ask('/api/v1/search?q=x&limit=many');
    expect(wrong.json).toMatchObject({
      status: 400,
      code: 'USAGE',
      detail: expect.stringContaining('limit'),
    });
    const broken = await server.ask('/api/v1/search', { body: '{"q": ' });
    expect(broken.json).toMatchObject({ status: 400, code: 'USAGE' });
    expect((await server.ask('/api/v1/nothing')).json).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('/openapi.json', () => {
  it('serves valid OpenAPI 3.1 that describes every route once', async () => {
    const { json } = await server.ask('/openapi.json');
    const validator = new Validator();
    const result = await validator.validate(json);
    expect(result.errors ?? []).toEqual([]);
    expect([result.valid, validator.version]).toEqual([true, '3.1']);
    const operations = Object.values(json.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((path) => Object.values(path))
      .map(({ operationId }) => operationId);
    expect(new Set(operations).size).toBe(operations.length);
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining(['/chunks/search', '/sessions/index', '/sessions/{id}', '/stats']),
    );
  });

  it.each(routes)('describes the answer of %s', async (path) => {
    const { json: document } = await server.ask('/openapi.json');
    const [asked = ''] = path.replace(CARDS, '{id}').split('?');
    const place = `openapi#/paths/${asked.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
    const ajv = new Ajv({ strict: false, allErrors: true });
    ajv.addSchema(document, 'openapi');
    const isDescribed = ajv.compile({ $ref: encodeURI(place) });
    isDescribed((await server.ask(path)).json);
    expect(isDescribed.errors).toBeNull();
  });
});

it('returns a file’s edits as the turns made them', async () => {
  const { json: files } = await server.ask(`${session}/files`);
  const [file] = files.files;
  const { json } = await server.ask(`${session}/diff?path=${encodeURIComponent(file.path)}`);
  expect(() => fileDiff.parse(json)).not.toThrow();
  expect(json.edits.map(({ turn }: { turn: number }) => turn)).toEqual(file.turns);
});
