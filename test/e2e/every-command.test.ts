import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectSlug } from '../../src/adapters/claude/files/restore-path.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { createWorld } from '../support/machines/world.ts';
import {
  bashPair,
  COMMIT_OUTPUT,
  line,
  stampLines,
  toolPair,
  writeClaude,
} from '../support/transcripts/claude-transcripts.ts';

const IDS = {
  retry: 'aaaa1111-0000-4000-8000-000000000001',
  login: 'aaaa2222-0000-4000-8000-000000000002',
  tests: 'bbbb3333-0000-4000-8000-000000000003',
};

const world = sharedWorld(async (made) => {
  const cwd = join(made.folder, 'code', 'widgets');
  mkdirSync(cwd, { recursive: true });
  const write = (id: string, start: string, lines: Parameters<typeof stampLines>[0]) =>
    writeClaude(made.claudeHome, id, stampLines(lines, { sessionId: id, cwd, start }), projectSlug(cwd));
  write(IDS.retry, '2026-03-01T09:00:00.000Z', [
    line.user('Make the websocket reconnect with backoff'),
    ...toolPair('Edit', { file_path: join(cwd, 'src', 'socket.ts') }, 'ok'),
    ...bashPair('git commit -am "Retry"', COMMIT_OUTPUT),
    line.assistant('WORKING_SOLUTION: the socket retries with jitter.'),
  ]);
  write(IDS.login, '2026-04-01T09:00:00.000Z', [line.user('Add a login form'), line.assistant('Added.')]);
  write(IDS.tests, '2026-05-01T09:00:00.000Z', [
    line.user('Why are the tests flaky?'),
    line.assistant('Time zones.'),
  ]);
  await runCli(made, ['index', '--no-embed']);
});

describe('smart-fork index', () => {
  it('prints a summary, and one object with --json', async () => {
    const { status, stdout, stderr } = await runCli(world(), ['index', '--no-embed']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/3/);
    expect(await runJson(world(), ['index', '--no-embed', '--force'])).toMatchObject({
      found: 3,
      indexed: 3,
      unchanged: 0,
      empty: 0,
      duplicates: 0,
      failed: [],
      skipped: [],
      interrupted: false,
      waiting: { intents: 3, chunks: 3 },
    });
  });

  it("indexes by a session's id, prefix or file, by folder, and by time", async () => {
    const found = async (...words: string[]) =>
      (await runJson(world(), ['index', '--no-embed', '--force', ...words])).found;
    expect(await found('--session', IDS.retry)).toBe(1);
    expect(await found('--session', 'bbbb')).toBe(1);
    expect(
      await found(
        '--session',
        join(
          world().claudeHome,
          'projects',
          projectSlug(join(world().folder, 'code', 'widgets')),
          `${IDS.login}.jsonl`,
        ),
      ),
    ).toBe(1);
    expect(await found('--repo', join(world().folder, 'code'))).toBe(3);
    const none = await runCli(world(), ['index', '--no-embed', '--repo', join(world().folder, 'cod')]);
    expect(none.status).toBe(1);
    expect(none.stderr).toContain(`error: no folder ${join(world().folder, 'cod')}`);
    expect(await found('--since', '1h')).toBe(3);
    const missing = await runCli(world(), ['index', '--session', 'zzzz']);
    expect(missing).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('zzzz') });
  });
});

describe('smart-fork search', () => {
  it('shows the result with title, place, passage and command', async () => {
    const { status, stdout } = await runCli(world(), ['search', 'websocket', 'reconnect']);
    expect(status).toBe(0);
    for (const shown of [
      'Make the websocket reconnect with backoff',
      'widgets',
      'main',
      'Recommended',
      `claude --resume ${IDS.retry} --fork-session`,
    ])
      expect(stdout).toContain(shown);
    expect(stdout).not.toContain('\u001b');
  });

  it('counts an age from the time of --as-of', async () => {
    const ids = async (...words: string[]) => {
      const { results } = await runJson(world(), ['search', 'add make', '--as-of', '2026-04-02', ...words]);
      return (results as { session_id: string }[]).map(({ session_id }) => session_id);
    };
    expect(await ids('--since', '3d')).toEqual([IDS.login]);
    expect(await ids('--until', '3d')).toEqual([IDS.retry]);
  });

  it('prints one object with exactly the documented keys', async () => {
    const response = await runJson(world(), ['search', 'websocket reconnect']);
    expect(Object.keys(response).sort()).toEqual([
      'confidence',
      'fit',
      'matched',
      'mode',
      'notices',
      'query',
      'ranking',
      'results',
      'took_ms',
      'understood',
    ]);
    const [first] = response.results as Record<string, unknown>[];
    const documented = readFileSync('docs/json.md', 'utf8').split('Each result:')[1]?.split('\n## ')[0] ?? '';
    const always = documented.split('\n').filter((row) => !/\babsent\b/i.test(row));
    const named = [...always.join('\n').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(\w+)(?:\[\])?`/g)].map(([, key]) => key),
    );
    expect(Object.keys(first ?? {}).sort()).toEqual(named.sort());
    expect(first).toMatchObject({
      rank: 1,
      recommended: true,
      session_id: IDS.retry,
      agent: 'claude',
      repo_name: 'widgets',
      branch: 'main',
      machine: 'workshop',

      working_directory: join(world().folder, 'code', 'widgets'),
      message_count: 2,
      local: true,
      can_fork: true,
      markers: ['WORKING_SOLUTION'],
      outcome: 'committed',
      tags: [],
      parent_session_id: null,
      fork_command: `cd ${join(world().folder, 'code', 'widgets')} && claude --resume ${IDS.retry} --fork-session`,
    });
    const nothing = await runJson(world(), ['search', 'quagga']);
    expect(nothing).toMatchObject({
      results: [],
      confidence: null,
      words: [{ word: 'quagga', sessions: 0 }],
    });
  });

  it('explains the score, and accepts filters and a day', async () => {
    expect((await runCli(world(), ['search', 'websocket', '--explain'])).stdout).toMatch(
      /session.words|words/i,
    );
    const ids = async (...words: string[]) =>
      (
        (await runJson(world(), ['search', 'the', 'websocket', 'login', 'tests', ...words])).results as {
          session_id: string;
        }[]
      )
        .map(({ session_id }) => session_id)
        .sort();
    expect(await ids()).toEqual(Object.values(IDS).sort());
    expect(await ids('--since', '2026-04-15')).toEqual([IDS.tests]);
    expect(await ids('--until', '2026-03-15')).toEqual([IDS.retry]);
    expect(await ids('--as-of', '2026-04-15')).toEqual([IDS.retry, IDS.login]);
    expect(await ids('--file', 'socket.ts')).toEqual([IDS.retry]);
    expect(await ids('--marker', 'working_solution')).toEqual([IDS.retry]);
    expect(await ids('--agent', 'codex')).toEqual([]);
    expect(await ids('--repo', 'widgets', '--limit', '2')).toHaveLength(2);
    const here = await runJson(world(), ['search', 'websocket', '--repo', '.'], {
      cwd: join(world().folder, 'code', 'widgets'),
    });
    expect(here.results).toHaveLength(1);
    const elsewhere = await runJson(world(), ['search', 'websocket', '--repo', '.'], { cwd: world().folder });
    expect(elsewhere.results).toEqual([]);
  });

  it.each(['CLAUDE_CODE_SESSION_ID', 'CODEX_THREAD_ID'])(
    'excludes the session from which search is called (%s)',
    async (variable) => {
      const { results } = await runJson(world(), ['search', 'websocket'], {
        env: { [variable]: IDS.retry },
      });
      expect(results).toEqual([]);
    },
  );
});

describe('smart-fork retrieve', () => {
  it('prints the context on stdout and how to resume on stderr', async () => {
    const { status, stdout, stderr } = await runCli(world(), ['retrieve', 'aaaa1', '--query', 'jitter']);
    expect(status).toBe(0);
    expect(stdout).toContain('# Context from an earlier Claude Code session');
    expect(stdout).toContain('the socket retries with jitter');
    expect(stderr).toContain(`claude --resume ${IDS.retry}`);
    expect(stderr).toContain('--fork-session');
  });

  it('prints JSON and JSONL', async () => {
    const object = await runJson(world(), ['retrieve', 'bbbb']);
    expect(Object.keys(object).sort()).toEqual(
      [
        'fork_command',
        'from',
        'local',
        'notice',
        'passages',
        'restorable',
        'resume_command',
        'session',
        'total_passages',
      ].sort(),
    );
    const { stdout } = await runCli(world(), ['retrieve', 'bbbb', '--format', 'jsonl', '--full']);
    const passages = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { text: string });
    expect(passages.map(({ text }) => text).join('')).toContain('USER: Why are the tests flaky?');
  });
});

describe('smart-fork retrieve of several sessions', () => {
  it('prints one context for several sessions, with each session’s commands on stderr', async () => {
    const { status, stdout, stderr } = await runCli(world(), ['retrieve', 'aaaa1', 'aaaa2', 'aaaa1']);
    expect(status).toBe(0);
    expect(stdout.split('# Context from an earlier')).toHaveLength(3);
    expect(stdout).toContain('the socket retries with jitter');
    expect(stdout).toContain('Add a login form');
    expect(stderr).toContain(`claude --resume ${IDS.retry}`);
    expect(stderr).toContain(`claude --resume ${IDS.login}`);
  });

  it('prints an object for each retrieved session with --json, and their ids with jsonl', async () => {
    const object = (await runJson(world(), ['retrieve', 'aaaa1', 'aaaa2'])) as { sessions: object[] };
    expect(object.sessions).toMatchObject([
      { session: { session_id: IDS.retry }, local: true, repeated_passages: 0 },
      { session: { session_id: IDS.login }, local: true, repeated_passages: 0 },
    ]);
    const { stdout } = await runCli(world(), ['retrieve', 'aaaa1', 'aaaa2', '--format', 'jsonl']);
    const ids = stdout
      .trim()
      .split('\n')
      .map((text) => (JSON.parse(text) as { session_id: string }).session_id);
    expect(new Set(ids)).toEqual(new Set([IDS.retry, IDS.login]));
  });

  it('requires a budget with room for every session', async () => {
    const { status, stderr } = await runCli(world(), ['retrieve', 'aaaa1', 'aaaa2', '--max-tokens', '300']);
    expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('at least 400') });
  });
});

describe('smart-fork tag --suggest', () => {
  it('prints tags that would fit without adding any, and accepts none to add', async () => {
    const suggested = await runJson(world(), ['tag', 'aaaa1', '--suggest']);
    expect(suggested).toMatchObject({ session_id: IDS.retry, suggested: expect.any(Array) });
    expect((await runCli(world(), ['tag', 'aaaa2', '--suggest'])).stdout).toBe('(none)\n');
    expect(await runJson(world(), ['tag', 'aaaa1'])).toMatchObject({ tags: [] });
    expect((await runCli(world(), ['tag', 'aaaa1', 'x', '--suggest'])).status).toBe(2);
  });
});

describe('smart-fork compare', () => {
  it('compares what each session asked, changed and committed, and prints one object with --json', async () => {
    const { status, stdout } = await runCli(world(), ['compare', 'aaaa1', 'aaaa2']);
    expect(status).toBe(0);
    for (const text of ['A  ', 'B  ', 'Asked', '1. Add a login form', 'only A', 'src/socket.ts', 'abc1234'])
      expect(stdout).toContain(text);
    const object = await runJson(world(), ['compare', 'aaaa1', 'aaaa2']);
    expect(object).toMatchObject({ common_turns: 0, files: { both: [], first: ['src/socket.ts'] } });
  });

  it('refuses to compare a session with itself, or with an unknown one', async () => {
    expect((await runCli(world(), ['compare', 'aaaa1', 'aaaa1'])).status).toBe(2);
    const unknown = await runCli(world(), ['compare', 'aaaa1', 'zzzz']);
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('zzzz') });
  });
});

describe('smart-fork show, sessions and stats', () => {
  it('prints show, sessions and stats as text', async () => {
    const shown = await runCli(world(), ['show', 'aaaa2']);
    expect(shown.stdout).toContain('Add a login form');
    const listed = await runCli(world(), ['sessions']);
    expect(listed.stdout).toMatch(/flaky[\s\S]*login[\s\S]*websocket/);
    const stats = await runCli(world(), ['stats']);
    for (const part of ['3', 'widgets', '2026']) expect(stats.stdout).toContain(part);
    for (const { status, stderr } of [shown, listed, stats])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('explains an empty list of sessions by its filters, and names a repository of the same name elsewhere', async () => {
    const elsewhere = join(world().folder, 'moved', 'widgets');
    mkdirSync(elsewhere, { recursive: true });
    const moved = await runCli(world(), ['sessions', '--repo', elsewhere]);
    expect(moved).toMatchObject({ status: 0, stdout: 'No sessions.\n' });
    expect(moved.stderr).toBe(
      '! no session matches the filter repo\nSessions each filter matches:\n  --repo: 0 of 3 sessions\n3 sessions of a repository called widgets in another folder: --repo widgets\n',
    );
    const here = join(world().folder, 'code', 'widgets');
    const { stderr } = await runCli(world(), ['sessions', '--repo', here, '--tag', 'none']);
    expect(stderr).toBe(
      '! no session matches the filter tag "none"\nSessions each filter matches:\n  --repo: 3 of 3 sessions\n  --tag none: 0 of 3 sessions\n',
    );
  });

  it('prints show, sessions and stats as JSON with --json', async () => {
    expect(await runJson(world(), ['show', 'aaaa2'])).toMatchObject({
      session: { session_id: IDS.login },
      local: true,
      turns: [{ user: 'Add a login form' }],
    });
    const page = await runJson(world(), ['sessions', '--limit', '2']);
    expect(page.sessions).toMatchObject([{ session_id: IDS.tests }, { session_id: IDS.login }]);
    const next = await runJson(world(), ['sessions', '--cursor', String(page.cursor)]);
    expect(next).toMatchObject({ sessions: [{ session_id: IDS.retry }], cursor: null });
    expect(await runJson(world(), ['stats'])).toMatchObject({
      sessions: 3,
      chunks: 3,
      intents: 3,
      vectors: 0,
      waiting: { intents: 3, chunks: 3 },
      by_repo: [{ value: 'widgets', count: 3 }],
      by_month: [
        { value: '2026-03', count: 1 },
        { value: '2026-04', count: 1 },
        { value: '2026-05', count: 1 },
      ],
    });
  });
});

describe('smart-fork tag and forget', () => {
  it('adds a tag, finds by it, and removes it', async () => {
    expect(await runJson(world(), ['tag', 'bbbb', 'Baseline', '#auth/x'])).toEqual({
      session_id: IDS.tests,
      tags: ['auth/x', 'baseline'],
    });
    expect((await runJson(world(), ['sessions', '--tag', 'baseline'])).sessions).toHaveLength(1);
    expect(await runJson(world(), ['tag', 'bbbb', '--remove', 'auth/x'])).toMatchObject({
      tags: ['baseline'],
    });
    expect((await runCli(world(), ['tag', 'bbbb'])).stdout).toBe('#baseline\n');
    expect(await runCli(world(), ['tag', 'bbbb', 'not a tag'])).toMatchObject({ status: 2 });
  });

  it('forgets one or many sessions, and none without confirmation', async () => {
    const own = createWorld();
    for (const id of Object.values(IDS))
      writeClaude(own.claudeHome, id, stampLines([line.user(`the ${id}`)], { sessionId: id }));
    await runCli(own, ['index', '--no-embed']);
    expect(await runCli(own, ['forget', 'aaaa1'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect((await runCli(own, ['forget', 'aaaa1', '--dry-run'])).stdout).toMatch(
      new RegExp(`^1 session to forget\\n  \\S+  .*the ${IDS.retry}\\n`),
    );
    expect(await runJson(own, ['forget', 'aaaa1', '--dry-run', '--yes'])).toEqual({
      forgotten: [],
      would_forget: [IDS.retry],
    });
    expect(await runJson(own, ['forget', 'aaaa1', '--yes'])).toEqual({ forgotten: [IDS.retry] });
    expect((await runJson(own, ['sessions'])).sessions).toHaveLength(2);
    expect((await runJson(own, ['search', 'the'])).results).toHaveLength(2);
    expect((await runJson(own, ['search', 'the', IDS.retry.slice(0, 8), '--literal'])).results).toEqual([]);
    expect(await runJson(own, ['forget', '--before', '2030-01-01', '--yes'])).toMatchObject({
      forgotten: [IDS.login, IDS.tests].sort().reverse(),
    });
    expect(await runCli(own, ['forget'])).toMatchObject({ status: 2 });
    expect(await runCli(own, ['forget', 'aaaa', '--repo', 'x', '--yes'])).toMatchObject({ status: 2 });
    expect(existsSync(join(own.claudeHome, 'projects', '-home-dev-widgets', `${IDS.retry}.jsonl`))).toBe(
      true,
    );
  });
});

describe('smart-fork reindex', () => {
  it('asks first, keeps tags, and refuses to lose sessions whose transcript is gone', async () => {
    const own = createWorld();
    const path = writeClaude(
      own.claudeHome,
      IDS.retry,
      stampLines([line.user('one')], { sessionId: IDS.retry }),
    );
    writeClaude(own.claudeHome, IDS.tests, stampLines([line.user('two')], { sessionId: IDS.tests }));
    await runCli(own, ['index', '--no-embed']);
    await runCli(own, ['tag', 'bbbb', 'kept']);
    expect(await runCli(own, ['reindex'])).toMatchObject({ status: 2 });
    expect(await runJson(own, ['reindex', '--yes'])).toMatchObject({ indexed: 2 });
    expect((await runJson(own, ['sessions', '--tag', 'kept'])).sessions).toHaveLength(1);
    writeFileSync(`${path}.kept`, readFileSync(path));
    const { rmSync } = await import('node:fs');
    rmSync(path);
    expect(await runCli(own, ['reindex', '--yes'])).toMatchObject({ status: 1 });
    expect((await runJson(own, ['sessions'])).sessions).toHaveLength(2);
  });
});

describe('smart-fork config', () => {
  it('sets, gets, lists and unsets settings, and refuses wrong ones', async () => {
    const own = createWorld();
    const path = join(own.home, 'config.json');
    expect((await runCli(own, ['config', 'path'])).stdout).toBe(`${path}\n`);
    expect(await runCli(own, ['config', 'get', 'search.max_results'])).toMatchObject({
      status: 0,
      stdout: '5\n',
    });
    expect(await runCli(own, ['config', 'set', 'search.max_results', '3'])).toMatchObject({ status: 0 });
    expect(await runJson(own, ['config', 'get', 'search.max_results'])).toEqual({
      key: 'search.max_results',
      value: 3,
      origin: 'config.json',
      if_unset: null,
    });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ search: { max_results: 3 } });
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const words of [
      ['search.max_results', 'many'],
      ['search.max_results', '0'],
      ['search.mode', 'magic'],
    ])
      expect((await runCli(own, ['config', 'set', ...words])).status).not.toBe(0);
    expect(await runCli(own, ['config', 'set', 'no.such', '1'])).toMatchObject({ status: 2 });
    expect(await runCli(own, ['config', 'set', 'machine'])).toMatchObject({ status: 2 });
    const { settings } = await runJson(own, ['config', 'list']);
    expect(settings).toContainEqual(expect.objectContaining({ key: 'search.max_results', value: 3 }));
    writeFileSync(path, '{"search":{"max_results":"many"}}');
    expect((await runCli(own, ['config', 'unset', 'search.max_results'])).status).toBe(0);
    expect(await runJson(own, ['config', 'get', 'search.max_results'])).toMatchObject({
      value: 5,
      origin: 'default',
    });
  });

  it('lists each value and its origin', async () => {
    const own = createWorld();
    mkdirSync(own.home, { recursive: true });
    writeFileSync(join(own.home, '.env'), 'SMART_FORK_MODEL=acme/from-dotenv\n');
    writeFileSync(join(own.home, 'config.json'), '{"machine":"file","search":{"mode":"keyword"}}');
    const env = { SMART_FORK_MACHINE: 'desk' };
    const { settings } = JSON.parse((await runCli(own, ['config', 'list', '--json'], { env })).stdout);
    const of = (wanted: string) => {
      const { value, origin } = settings.find(({ key }: { key: string }) => key === wanted);
      return [value, origin];
    };
    expect(of('machine')).toEqual(['desk', 'environment']);
    expect(of('embedding.model')).toEqual(['acme/from-dotenv', '.env']);
    expect(of('search.mode')).toEqual(['keyword', 'config.json']);
    expect(of('search.ranking')).toEqual(['default', 'default']);
    expect(of('privacy.redact')).toEqual([[], 'default']);
    expect(of('claude.homes')).toEqual([[own.claudeHome], 'environment']);
    const { stdout } = await runCli(own, ['config', 'list'], { env });
    expect(stdout).toContain('= desk (environment)');
    expect(stdout).toContain('= 5 (default)');
  });

  it('names an invalid pattern and keeps the old value', async () => {
    const own = createWorld();
    const set = (pattern: string) =>
      runCli(own, ['config', 'set', 'privacy.redact', JSON.stringify([{ name: 'look-ahead', pattern }])]);
    expect(await set('TCK-[0-9]+')).toMatchObject({ status: 0 });
    for (const pattern of ['(?=x)y', '(', 'x*']) {
      const { status, stderr } = await set(pattern);
      expect(status).toBe(1);
      expect(stderr).toContain('look-ahead');
      expect(stderr).toContain('RE2');
    }
    expect(await runJson(own, ['config', 'get', 'privacy.redact'])).toMatchObject({
      value: [{ name: 'look-ahead', pattern: 'TCK-[0-9]+' }],
    });
  });

  it('names a broken config file and stops the command', async () => {
    const own = createWorld();
    mkdirSync(own.home, { recursive: true });
    for (const text of ['{', '{"search":{"max_results":"x"}}', '{"unknown":1}', '[]']) {
      writeFileSync(join(own.home, 'config.json'), text);
      const { status, stdout, stderr } = await runCli(own, ['search', 'x']);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('config.json');
    }
    expect(existsSync(join(own.home, 'index.db'))).toBe(false);
  });

  it('reports a broken config file in doctor and continues', async () => {
    const own = createWorld();
    mkdirSync(own.home, { recursive: true, mode: 0o700 });
    for (const text of ['{', '{"unknown":1}', '{"privacy":{"redact":[{"name":"n","pattern":"(?=x)"}]}}']) {
      writeFileSync(join(own.home, 'config.json'), text, { mode: 0o600 });
      const { status, stdout } = await runCli(own, ['doctor', '--json']);
      expect(status).toBe(1);
      const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] };
      expect(checks.filter((check) => check.status === 'fail')).toEqual([
        {
          name: 'Settings',
          status: 'fail',
          message: expect.stringMatching(/config\.json|privacy\.redact: the pattern n /),
          fix: expect.stringMatching(/^Fix the setting/),
        },
      ]);
      expect(checks.map(({ name }) => name)).toContain('Store');
    }
    writeFileSync(join(own.home, 'config.json'), '{');
    expect(await runCli(own, ['config', 'path'])).toMatchObject({ status: 0, stderr: '' });
    const list = await runCli(own, ['config', 'list']);
    expect(list).toMatchObject({ status: 1, stdout: expect.stringContaining('= 5 (default)') });
    expect(list.stderr).toContain('config.json');
  });
});

describe('the user’s redaction patterns', () => {
  it("applies the user's patterns in the bundled program", async () => {
    const own = createWorld();
    await runCli(own, ['config', 'set', 'privacy.redact', '[{"name":"ticket","pattern":"TCK-[0-9]+"}]']);
    writeClaude(
      own.claudeHome,
      IDS.retry,
      stampLines([line.user('about TCK-12345 again')], { sessionId: IDS.retry }),
    );
    await runCli(own, ['index', '--no-embed']);
    const { results } = await runJson(own, ['search', 'about again']);
    expect(results).toMatchObject([{ title: 'about [REDACTED:ticket] again' }]);
  });
});

describe('smart-fork model and doctor', () => {
  it('reports in model and doctor that there is no model and how to get one', async () => {
    const { status, stdout } = await runCli(world(), ['model', 'status']);
    expect(status).toBe(0);
    expect(stdout).toContain('smart-fork model pull');
    expect(await runJson(world(), ['model', 'status'])).toMatchObject({
      model: 'nomic-ai/nomic-embed-text-v1.5',
      state: 'absent',
      store_model: null,
    });
    expect(await runJson(world(), ['model', 'remove'])).toMatchObject({ freed_bytes: 0 });
    expect(await runCli(world(), ['model', 'explode'])).toMatchObject({ status: 2 });
  });

  it('checks everything in doctor and suggests fixes', async () => {
    const { status, stdout } = await runCli(world(), ['doctor']);
    expect(status).toBe(0);
    for (const name of ['Node', 'Home', 'Store', 'Model', 'Claude Code', 'Codex'])
      expect(stdout).toContain(name);
    const { checks } = (await runJson(world(), ['doctor'])) as { checks: { status: string; fix?: string }[] };
    for (const check of checks) if (check.status !== 'ok') expect(check.fix).toMatch(/\S/);
  });
});
