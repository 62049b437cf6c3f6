import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createRepositoryProbe } from '../../../src/adapters/git/probe-repository.ts';
import { createDriftReader } from '../../../src/adapters/git/read-drift.ts';
import type { GitProgram } from '../../../src/adapters/git/run-git.ts';
import { createAgentProgramFinder } from '../../../src/adapters/system/find-program.ts';
import { type Preflight, type PreflightDependencies, preflight } from '../../../src/app/fork/preflight.ts';
import { locateSession } from '../../../src/app/sessions/locate-session.ts';
import type { Agent } from '../../../src/domain/agent/agents.ts';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { repoId } from '../../../src/domain/session/repository.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { type SessionSketch, sessionId, writeSession } from './claude-session.ts';
import { machineHere } from './machine.ts';

const GIT = { program: execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), env: process.env };

let folder: string;
let repository: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-preflight-')));
  repository = join(folder, 'widgets');
  mkdirSync(join(repository, 'src'), { recursive: true });
  writeFileSync(join(repository, 'src', 'a.ts'), 'a\n');
  writeFileSync(join(repository, 'src', 'b.ts'), 'b\n');
  git('init', '-q', '-b', 'main');
  commit('Begin', '2026-03-01T09:00:00Z');
  installAgent('2.1.329');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...words: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  return execFileSync('git', [...who, ...words], { cwd: repository, encoding: 'utf8' }).trim();
}

function commit(subject: string, date: string): string {
  git('add', '-A');
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  const env = { ...process.env, ...dates };
  execFileSync('git', [...who, 'commit', '-q', '--allow-empty', '-m', subject], { cwd: repository, env });
  return git('rev-parse', 'HEAD');
}

function globalAttributes(): string {
  const path = join(folder, 'attributes');
  git('config', 'core.attributesFile', path);
  return path;
}

function installAgent(version: string): void {
  const path = join(folder, 'bin', 'claude');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho "${version} (Claude Code)"\n`);
  chmodSync(path, 0o755);
}

async function check(
  record: Partial<SessionPayload> = {},
  sketch: Partial<SessionSketch> = {},
  program: GitProgram = GIT,
): Promise<Preflight> {
  const cwd = record.working_directory ?? repository;
  const path = writeSession({
    home: join(folder, 'claude'),
    id: sessionId(1),
    cwd,
    asks: ['one'],
    ...sketch,
  });
  const session = sessionPayload({
    id: sessionId(1),
    record: {
      agent: 'claude',
      machine: 'here',
      repo_id: repoId(repository),
      repo_key: null,
      working_directory: cwd,
      jsonl_path: path,
      ended_at: '2026-03-01T10:03:00.000Z',
      model: 'claude-opus-4-6',
      files_touched: ['src/a.ts'],
      ...record,
    },
  });
  return look(dependencies(program), session);
}

function dependencies(program: GitProgram = GIT): PreflightDependencies {
  return {
    sources: [createClaudeSource({ homes: [join(folder, 'claude')] })],
    machine: machineHere(),
    probe: createRepositoryProbe(),
    git: createDriftReader(program),
    findProgram: createAgentProgramFinder(
      { path: join(folder, 'bin'), platform: process.platform },
      process.env,
    ),
  };
}

function look(deps: PreflightDependencies, session: SessionPayload, agent?: Agent): Promise<Preflight> {
  const location = locateSession({ ...deps, archives: [] }, session);
  return preflight(deps, { session, agent, currentDirectory: repository }, location);
}

function find({ checks }: Preflight, name: string) {
  return checks.find((one) => one.name === name);
}

describe('preflight', () => {
  it('passes every check if nothing has changed since the session', async () => {
    const flight = await check();
    expect(flight.ready).toBe(true);
    expect(flight.checks.map(({ status }) => status)).toEqual(flight.checks.map(() => 'ok'));
    expect(find(flight, 'Since then')?.message).toBe('nothing has changed');
  });

  it('counts the commits since the session, and names its changed files', async () => {
    const own = commit('Its own', '2026-03-01T10:02:00Z');
    writeFileSync(join(repository, 'src', 'a.ts'), 'changed\n');
    commit('Later', '2026-03-01T12:00:00Z');
    writeFileSync(join(repository, 'src', 'b.ts'), 'not its file\n');
    commit('Latest', '2026-03-01T13:00:00Z');
    const flight = await check({ commits: [{ hash: own.slice(0, 7), subject: 'Its own' }] });
    expect(flight.facts.drift).toMatchObject({ commits_since: 2, changed_files: ['src/a.ts'] });
    expect(find(flight, 'Since then')).toMatchObject({
      status: 'warn',
      message: '2 commits; 1 of its files changed: src/a.ts',
    });
  });

  it('compares by time if the session’s commit is no longer in the history', async () => {
    commit('Later', '2026-03-01T12:00:00Z');
    const flight = await check({ commits: [{ hash: 'abc1234', subject: 'Rebased away' }] });
    expect(flight.facts.drift?.commits_since).toBe(1);
  });

  it('reports changes as unknown if the clone has no commit from that time', async () => {
    const flight = await check({
      ended_at: '2026-02-01T10:00:00.000Z',
      commits: [{ hash: 'abc1234', subject: 'Of another clone' }],
    });
    expect(flight.facts.drift?.commits_since).toBeNull();
    expect(find(flight, 'Since then')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('changes are unknown'),
    });
  });

  it('reports uncommitted changes, except those of the session itself', async () => {
    writeFileSync(join(repository, 'src', 'a.ts'), 'edited\n');
    expect((await check()).facts.drift?.changed_files).toEqual(['src/a.ts']);
    const during = new Date('2026-03-01T10:01:00Z');
    utimesSync(join(repository, 'src', 'a.ts'), during, during);
    expect((await check()).facts.drift?.changed_files).toEqual([]);
  });

  it('compares contents regardless of the work tree’s line endings', async () => {
    writeFileSync(join(repository, 'src', 'a.ts'), 'a\r\n');
    expect((await check()).facts.drift?.changed_files).toEqual([]);
    rmSync(join(repository, 'src', 'a.ts'));
    expect((await check()).facts.drift?.changed_files).toEqual(['src/a.ts']);
  });

  it.each([
    ['.gitattributes', () => join(repository, '.gitattributes')],
    ['.git/info/attributes', () => join(repository, '.git', 'info', 'attributes')],
    ['the file named by core.attributesFile', () => globalAttributes()],
  ])(
    'cannot tell whether a file changed that a filter in %s rewrites, and runs no filter',
    async (_, place) => {
      const ran = join(folder, 'ran');
      mkdirSync(join(repository, '.git', 'info'), { recursive: true });
      writeFileSync(place(), '* filter=x\n');
      git('config', 'filter.x.clean', `touch ${ran}; cat`);
      writeFileSync(join(repository, 'src', 'a.ts'), 'A\n');
      const flight = await check();
      expect(flight.facts.drift).toMatchObject({ changed_files: [], unknown_files: ['src/a.ts'] });
      expect(find(flight, 'Since then')).toMatchObject({
        status: 'warn',
        message: 'no commits; could not tell whether its files changed: src/a.ts',
      });
      expect(existsSync(ran)).toBe(false);
      git('add', 'src/a.ts');
      rmSync(ran);
      expect((await check()).facts.drift).toMatchObject({ changed_files: ['src/a.ts'], unknown_files: [] });
      expect(existsSync(ran)).toBe(false);
    },
  );

  it('cannot tell whether files changed that are outside the repository, or whose objects are missing', async () => {
    writeFileSync(join(folder, 'notes.md'), 'x\n');
    const outside = await check({ files_touched: ['../notes.md', '../gone.md'] });
    expect(outside.facts.drift).toMatchObject({ changed_files: [], unknown_files: ['../notes.md'] });
    writeFileSync(join(repository, 'src', 'a.ts'), 'A\n');
    const tree = git('rev-parse', 'HEAD^{tree}');
    rmSync(join(repository, '.git', 'objects', tree.slice(0, 2), tree.slice(2)));
    expect(find(await check(), 'Since then')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('could not tell whether its files changed: src/a.ts'),
    });
  });

  it('cannot tell what changed if git fails, or whether an agent forks that reports no version', async () => {
    git('remote', 'add', 'origin', 'git@github.com:acme/widgets.git');
    const record = { repo_key: 'github.com/acme/widgets' };
    installAgent('');
    const flight = await check(record, {}, { program: null, env: {} });
    expect(find(flight, 'Since then')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('could not tell'),
    });
    expect(find(flight, 'Agent')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('did not report its version'),
    });
  });

  it('says that it did not check the files if the folder is in no repository any more', async () => {
    rmSync(join(repository, '.git'), { recursive: true });
    expect(find(await check(), 'Since then')?.message).toContain('not checked');
    expect(find(await check({ files_touched: [] }), 'Since then')).toBeUndefined();
  });

  it('warns when the branch is gone or another one is checked out', async () => {
    expect(find(await check({ branch: 'feature' }), 'Branch')?.message).toBe(
      'feature is gone; main is checked out',
    );
    git('branch', 'feature');
    expect(find(await check({ branch: 'feature' }), 'Branch')?.fix).toBe('git switch feature');
    git('branch', '$(id)');
    expect(find(await check({ branch: '$(id)' }), 'Branch')?.fix).toBe("git switch '$(id)'");
  });

  it('warns if the folder is gone, and says whether the fork’s folder is in the same repository', async () => {
    git('remote', 'add', 'origin', 'git@github.com:acme/widgets.git');
    const gone = { working_directory: join(folder, 'gone') };
    const same = await check({ ...gone, repo_key: 'github.com/acme/widgets' });
    expect(find(same, 'Folder')).toMatchObject({ status: 'ok' });
    expect(same.facts).toMatchObject({
      folder: repository,
      folder_is_original: false,
      same_repository: true,
    });
    const other = await check({ ...gone, repo_key: 'github.com/acme/gadgets' });
    const message = "the folder is not in the session's (github.com/acme/gadgets)";
    expect(find(other, 'Repository')).toMatchObject({ status: 'warn', message });
    expect(other.facts.drift).toBeNull();
    expect(other.ready).toBe(true);
  });

  it('reports how full the model’s context window is', async () => {
    expect(find(await check({}, { tokens: 50_000 }), 'Context')).toMatchObject({
      status: 'ok',
      message: "about 50k tokens, 25% of the model's 200k",
    });
    expect(find(await check({}, { tokens: 180_000 }), 'Context')).toMatchObject({ status: 'warn' });
    expect((await check({}, { tokens: 400_000 })).facts.context?.window).toBe(1_000_000);
    const path = writeSession({
      home: join(folder, 'claude'),
      id: sessionId(1),
      cwd: repository,
      asks: ['one'],
      tokens: 50_000,
    });
    const session = sessionPayload({
      id: sessionId(1),
      record: { jsonl_path: path, model: 'claude-opus-4-6' },
    });
    const deps = dependencies();
    const location = locateSession({ ...deps, archives: [] }, session);
    const textSize = { tokens: 4_000, window: null };
    const request = { session, agent: 'codex' as const, currentDirectory: repository, textSize };
    const elsewhere = await preflight(deps, request, location);
    expect(elsewhere.facts.context).toEqual(textSize);
    expect(find(elsewhere, 'Context')?.message).toBe('about 4k tokens');
    expect(find(await check({ model: 'other' }, { tokens: 50_000 }), 'Context')?.message).toBe(
      'about 50k tokens',
    );
  });

  it('counts the context of the turns that are forked, not of the whole session', async () => {
    const { facts } = await check({}, { asks: ['one', 'two'], tokens: 50_000 });
    const path = facts.path ?? '';
    const [first, ...rest] = readFileSync(path, 'utf8').split('"content":"two"');
    writeFileSync(path, [first?.replaceAll('49970', '19970'), ...rest].join('"content":"two"'));
    const session = sessionPayload({
      id: sessionId(1),
      record: { agent: 'claude', machine: 'here', working_directory: repository, jsonl_path: path },
    });
    const deps = dependencies();
    const location = locateSession({ ...deps, archives: [] }, session);
    const at = async (turn: number | null) =>
      (await preflight(deps, { session, currentDirectory: repository, turn }, location)).facts.context
        ?.tokens;
    expect([await at(1), await at(2), await at(null)]).toEqual([20_000, 50_000, 50_000]);
  });

  it('warns if the session is being written, and names the process', async () => {
    const path = writeSession({
      home: join(folder, 'claude'),
      id: sessionId(1),
      cwd: repository,
      asks: ['one'],
    });
    const now = new Date('2026-03-02T09:59:50.000Z');
    const session = sessionPayload({
      id: sessionId(1),
      record: { agent: 'claude', machine: 'here', jsonl_path: path, working_directory: repository },
    });
    const deps = {
      sources: [createClaudeSource({ homes: [join(folder, 'claude')] })],
      machine: machineHere(),
      probe: createRepositoryProbe(),
      git: createDriftReader(GIT),
      findProgram: async () => ({ path: '/x/claude', version: null }),
    };
    const here = () => look(deps, session);
    utimesSync(path, now, now);
    expect(find(await here(), 'In use')?.message).toBe('written 10 s ago: it may be in use');
    const sessions = join(folder, 'claude', 'sessions');
    mkdirSync(sessions);
    const entry = { pid: process.pid, sessionId: sessionId(1), status: 'busy' };
    writeFileSync(join(sessions, `${process.pid}.json`), JSON.stringify(entry));
    expect(find(await here(), 'In use')?.message).toBe(`process ${process.pid} is working in it`);
    const reused = { ...entry, procStart: '1' };
    writeFileSync(join(sessions, `${process.pid}.json`), JSON.stringify(reused));
    if (process.platform === 'linux') expect((await here()).facts.open_in).toEqual([]);
  });

  it('fails only if a fork is impossible: no program, or one that is too old', async () => {
    installAgent('1.0.100');
    const old = await check();
    expect(old.ready).toBe(false);
    expect(find(old, 'Agent')?.message).toBe('claude 1.0.100 cannot fork; 1.0.124 or later can');
    rmSync(join(folder, 'bin', 'claude'));
    expect(find(await check(), 'Agent')).toMatchObject({
      status: 'fail',
      message: 'claude is not on PATH',
      fix: 'Install it: npm install -g @anthropic-ai/claude-code',
    });
  });
});
