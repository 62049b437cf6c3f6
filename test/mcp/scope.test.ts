import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CARDS, type Connection, createWorld, type World } from '../support/machines/mcp-world.ts';
import { line, stampLines } from '../support/transcripts/claude-transcripts.ts';

const DASHBOARD = '/home/sam/code/harbor-dashboard';
/** A session of ledger-api. */
const LEDGER = 'e0343be5';

let world: World;
let limited: Connection;

beforeAll(async () => {
  world = createWorld();
  await world.run('index', '--no-embed');
  mkdirSync(join(world.folder, '.smart-fork'), { recursive: true });
  writeFileSync(join(world.folder, '.smart-fork', 'config.json'), '{"search": {"scope": "repository"}}');
  limited = await world.connect({ env: { CLAUDE_PROJECT_DIR: DASHBOARD } });
}, 60_000);

afterAll(async () => {
  await limited.close();
  world.remove();
});

describe('search.scope', () => {
  it.each([
    ['fork_detect', { intent: 'limit requests per API key with a token bucket', scope: 'all' }],
    ['fork_detect', { intent: `session ${LEDGER}` }],
    ['list_sessions', { limit: 50 }],
    ['recall', { query: 'token bucket per API key' }],
    ['timeline', { query: 'token bucket' }],
    ['list_open', {}],
    ['list_topics', {}],
    ['session_stats', {}],
  ])('shows nothing of other repositories in %s, but how many sessions it left out', async (tool, input) => {
    const { structured, text } = await limited.call(tool, input);
    expect(text).toMatch(/note: \d+ sessions left out: search\.scope is repository/);
    expect(structured.notices).toContainEqual(expect.stringMatching(/^\d+ sessions left out/));
    const said =
      JSON.stringify(structured).replaceAll('token bucket', '') + text.replaceAll('token bucket', '');
    expect(said).not.toMatch(/ledger-api|tidepool|e0343be5-|rate limit/i);
  });

  it('finds nothing in another project that is named', async () => {
    const input = { intent: 'token bucket', project_path: '/home/sam/code/ledger-api' };
    const { structured } = await limited.call('smart_fork', input);
    expect(structured.results).toEqual([]);
  });

  it('finds what is in the repository', async () => {
    const { structured } = await limited.call('fork_detect', { intent: 'real-time token usage cards' });
    expect(structured.results[0].session_id).toBe(CARDS);
  });

  it('opens no session of another repository by its id, indexed or not', async () => {
    for (const tool of ['get_session', 'get_session_context'] as const) {
      const { error } = await limited.call(tool, { session_id: LEDGER });
      expect(error?.code).toBe('SESSION_NOT_FOUND');
    }
    const { error } = await limited.call('find_lost', { session_id: LEDGER });
    expect(error?.code).toBe('SESSION_NOT_FOUND');
    const { resources } = await limited.client.listResources();
    expect(resources.map(({ description }) => description).join()).not.toContain('ledger-api');
  });

  it('shows nothing if the project is unknown', async () => {
    const lost = await world.connect({ args: ['--plugin'] });
    const { structured } = await lost.call('list_sessions', { limit: 50 });
    expect(structured.sessions).toEqual([]);
    const { text } = await lost.call('fork_detect', { intent: 'token bucket' });
    expect(text).toContain('No session that you may see is indexed yet.');
    await lost.close();
  });

  it('leaves nothing out by default', async () => {
    const home = join(world.folder, '.open');
    const open = await world.connect({ env: { CLAUDE_PROJECT_DIR: DASHBOARD, SMART_FORK_HOME: home } });
    const { structured } = await open.call('fork_detect', { intent: 'token bucket' });
    expect(structured.notices).toBeUndefined();
    await open.close();
  });
});

describe('search.scope project', () => {
  it('leaves out clones of the repository, which repository shows', async () => {
    const own = createWorld({ samples: false });
    try {
      const clone = (name: string) => {
        const at = join(own.folder, name);
        execFileSync('git', ['init', '-q', at]);
        execFileSync('git', ['-C', at, 'remote', 'add', 'origin', 'git@example.org:sam/pumps.git']);
        return at;
      };
      const ids = {
        here: '11111111-0000-4000-8000-000000000001',
        there: '22222222-0000-4000-8000-000000000002',
      };
      for (const [name, id] of Object.entries(ids)) {
        const lines = [line.user('Open the valve of the pump'), line.assistant('It is open.')];
        own.transcript(
          id,
          stampLines(lines, { sessionId: id, cwd: clone(name) }).map((one) => JSON.stringify(one)),
        );
      }
      await own.run('index', '--no-embed');
      const foundWith = async (scope: string) => {
        writeFileSync(join(own.folder, '.smart-fork', 'config.json'), JSON.stringify({ search: { scope } }));
        const client = await own.connect({ env: { CLAUDE_PROJECT_DIR: join(own.folder, 'here') } });
        const { structured } = await client.call('fork_detect', { intent: 'open the valve of the pump' });
        const opened = await client.call('get_session', { session_id: ids.there });
        await client.close();
        const found = structured.results.map(({ session_id }: { session_id: string }) => session_id);
        return { found: found.sort(), opened: opened.error?.code ?? 'opened', notices: structured.notices };
      };
      expect(await foundWith('project')).toEqual({
        found: [ids.here],
        opened: 'SESSION_NOT_FOUND',
        notices: ['1 session left out: search.scope is project'],
      });
      expect(await foundWith('repository')).toMatchObject({ found: [ids.here, ids.there], opened: 'opened' });
    } finally {
      own.remove();
    }
  });
});

describe('smart_fork', () => {
  it('takes the arguments of the proposal, and answers with its fields', async () => {
    const { structured } = await limited.call('smart_fork', {
      intent: 'real-time token usage cards',
      collection: 'claude-sessions',
      limit: 2,
      min_score: 0,
      auto_fork: false,
      fork_index: 1,
      project_path: null,
    });
    expect(structured.query).toBe('real-time token usage cards');
    expect(structured.results[0]).toMatchObject({
      rank: 1,
      score: expect.any(Number),
      session_id: CARDS,
      agent_type: 'claude',
      working_directory: DASHBOARD,
      snippet: expect.stringContaining('token usage'),
      source_path: `smart-fork://session/${CARDS}`,
      jsonl_path: expect.stringMatching(/\.jsonl$/),
    });
    expect(structured.forked_session).toMatchObject({ resume_session_id: CARDS, terminal_id: null });
    const long = await limited.call('smart_fork', {
      intent: 'real-time token usage cards',
      since: '2020-01-01',
      snippet: 900,
    });
    expect(long.structured.results[0].session_id).toBe(CARDS);
    expect(long.structured.results[0].snippet.length).toBeGreaterThan(
      2 * structured.results[0].snippet.length,
    );
    const later = await limited.call('smart_fork', {
      intent: 'real-time token usage cards',
      since: '2026-10-25',
    });
    const ids = later.structured.results.map(({ session_id }: { session_id: string }) => session_id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).not.toContain(CARDS);
    const codex = await limited.call('fork_detect', { intent: 'token cards', collection: 'codex-sessions' });
    expect(codex.structured.results).toEqual([]);
    const { error } = await limited.call('fork_detect', { intent: 'x', collection: 'other' });
    expect(error?.message).toContain('there is no collection other');
  });
});
