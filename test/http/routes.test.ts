import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  editedFiles,
  fileDiff,
  outline,
  retrieved,
  sessionView,
  turnWindow,
} from '../../src/domain/json/conversation.ts';
import { forkTree, madeFork, preflight } from '../../src/domain/json/fork.ts';
import { searchResponse } from '../../src/domain/json/search.ts';
import { sessionList } from '../../src/domain/json/session.ts';
import { doctor, settingsList, stats, status } from '../../src/domain/json/state.ts';
import { CARDS } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

let server: Served;

beforeAll(async () => {
  server = await serveWorld();
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const session = `/api/v1/sessions/${CARDS}`;

describe('the interface at /api/v1', () => {
  const routes: [string, z.ZodType][] = [
    ['/api/v1/search?q=token%20usage%20cards', searchResponse],
    ['/api/v1/sessions?limit=3', sessionList],
    [session, sessionView],
    [`${session}/turns?count=3`, turnWindow],
    [`${session}/outline?query=cards`, outline],
    [`${session}/context?query=cards&max_tokens=500`, retrieved],
    [`${session}/files`, editedFiles],
    [`${session}/forks`, forkTree],
    [`${session}/preflight`, preflight],
    ['/api/v1/stats', stats],
    ['/api/v1/status', status],
    ['/api/v1/doctor', doctor],
    ['/api/v1/settings', settingsList],
    ['/stats', stats],
    [`/sessions/${CARDS}`, sessionView],
  ];

  it.each(routes)('answers %s as its schema says', async (path, schema) => {
    const answer = await server.ask(path);
    expect(answer.status, answer.text).toBe(200);
    expect(() => schema.parse(answer.json)).not.toThrow();
  });

  it('searches as the command line does', async () => {
    const words = ['add', 'token', 'usage', 'cards', 'to', 'my', 'dashboard'];
    const printed = JSON.parse(server.world.run('search', ...words, '--json', '--everywhere', '-n', '5'));
    const { json } = await server.ask(`/api/v1/search?q=${words.join('%20')}&limit=5`);
    expect(searchResponse.parse(printed)).toEqual(printed);
    expect({ ...json, took_ms: 0 }).toEqual({ ...printed, took_ms: 0 });
    const byBody = await server.ask('/api/v1/search', { body: { q: words.join(' '), limit: 5 } });
    expect({ ...byBody.json, took_ms: 0 }).toEqual({ ...printed, took_ms: 0 });
  });

  it('counts the sessions by repository, agent, branch and month', async () => {
    const { json } = await server.ask('/api/v1/search?q=cards&facets=1&repo=ledger-api');
    const { json: all } = await server.ask('/api/v1/stats');
    // Other repositories can be chosen instead.
    expect(json.facets.repo).toEqual(all.by_repo);
    expect(json.facets.agent[0].count).toBeLessThan(all.sessions);
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

  it('gives the command of a fork without recording it, and records it when it is asked to', async () => {
    const planned = await server.ask(`${session}/preflight?turn=1`);
    expect(planned.json).toMatchObject({ way: 'turn', launches: false });
    expect(planned.json.command).toContain(`smart-fork fork ${CARDS} --at 1 --exec`);
    const made = await server.ask(`${session}/fork`, { body: { query: 'cards', rank: 1 } });
    expect(() => madeFork.parse(made.json)).not.toThrow();
    expect(made.json.command).toContain('--fork-session');
  });

  it('refuses to open a terminal when none is configured', async () => {
    const { status: code, json } = await server.ask(`${session}/launch`, { body: {} });
    expect([code, json.code]).toEqual([409, 'NO_TERMINAL']);
  });
});

describe('the routes of the requirements', () => {
  it('find passages, and queue sessions to be indexed', async () => {
    const { json } = await server.ask('/chunks/search', { body: { query: 'token usage cards', limit: 3 } });
    expect(json.chunks).toHaveLength(3);
    expect(json.chunks[0]).toMatchObject({ session_id: CARDS, text: expect.stringContaining('token') });
    const queued = await server.ask('/sessions/index', { body: { session_id: CARDS } });
    expect([queued.status, queued.json]).toEqual([202, { queued: true, session_id: CARDS }]);
  });
});

describe('errors', () => {
  it('are problem documents with our code and hint', async () => {
    const missing = await server.ask('/api/v1/sessions/00000000-none');
    expect(missing.status).toBe(404);
    expect(missing.headers['content-type']).toBe('application/problem+json');
    expect(missing.json).toMatchObject({
      ...{ type: 'about:blank', title: 'Not Found', status: 404, code: 'SESSION_NOT_FOUND' },
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
  it('is valid OpenAPI 3.1, and describes every route once', async () => {
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
});

it('gives the edits of a file as the turns made them', async () => {
  const { json: files } = await server.ask(`${session}/files`);
  const [file] = files.files;
  const { json } = await server.ask(`${session}/diff?path=${encodeURIComponent(file.path)}`);
  expect(() => fileDiff.parse(json)).not.toThrow();
  expect(json.edits.map(({ turn }: { turn: number }) => turn)).toEqual(file.turns);
});
