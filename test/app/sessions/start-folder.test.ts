import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createRepositoryProbe } from '../../../src/adapters/git/probe-repository.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { locateForCommands } from '../../../src/app/sessions/locate-session.ts';
import { findStartFolder } from '../../../src/app/sessions/start-folder.ts';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { repoId } from '../../../src/domain/session/repository.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { changeOf, SAMPLE_CHUNKING, sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { sessionId, writeSession } from '../fork/claude-session.ts';
import { machineHere } from '../fork/machine.ts';

const KEY = 'github.com/acme/widgets';

let folder: string;
let store: PointStore;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-start-')));
  store = openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING);
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function repository(name: string, url = `git@${KEY.replace('/', ':')}.git`): string {
  const path = join(folder, name);
  mkdirSync(path);
  execFileSync('git', ['init', '-q'], { cwd: path });
  execFileSync('git', ['remote', 'add', 'origin', url], { cwd: path });
  return path;
}

function find(record: Partial<SessionPayload>, currentDirectory = folder): Promise<string> {
  const session = sessionPayload({ id: sessionId(1), record: { repo_key: KEY, ...record } });
  const deps = { machine: machineHere(), probe: createRepositoryProbe(), store };
  return findStartFolder(deps, session, currentDirectory);
}

describe('the folder in which a fork starts', () => {
  it('starts a fork in the session’s own folder, whatever the current folder is', async () => {
    const own = repository('own', 'git@github.com:acme/other.git');
    expect(await find({ working_directory: own }, repository('here'))).toBe(own);
  });

  it('starts a fork at the top of the repository if the session’s worktree or subfolder is gone', async () => {
    const root = repository('widgets');
    const gone = { working_directory: join(root, '.worktrees', 'fix'), repo_path: root };
    expect(await find(gone)).toBe(root);
    expect(await find({ ...gone, repo_key: 'github.com/acme/gadgets', repo_id: repoId('/x') })).toBe(folder);
  });

  it('starts a fork in the current folder if that is a checkout of the repository', async () => {
    const here = join(repository('here'), 'src');
    mkdirSync(here);
    expect(await find({ working_directory: '/gone', repo_path: '/gone' }, here)).toBe(here);
  });

  it('starts a fork in a checkout where other sessions worked', async () => {
    const elsewhere = repository('elsewhere');
    const other = { repo_key: KEY, repo_path: elsewhere, working_directory: elsewhere };
    await store.write([changeOf({ id: sessionId(2), record: other })]);
    expect(await find({ working_directory: '/gone', repo_path: '/gone' })).toBe(elsewhere);
    rmSync(elsewhere, { recursive: true });
    expect(await find({ working_directory: '/gone', repo_path: '/gone' })).toBe(folder);
  });

  it('starts a fork in the same folder as in the command printed by a search', async () => {
    const elsewhere = repository('elsewhere');
    const other = { repo_key: KEY, repo_path: elsewhere, working_directory: elsewhere };
    await store.write([changeOf({ id: sessionId(2), record: other })]);
    const home = join(folder, 'claude');
    const path = writeSession({ home, id: sessionId(1), cwd: '/gone', asks: ['one'] });
    const gone = { repo_key: KEY, working_directory: '/gone', repo_path: '/gone', jsonl_path: path };
    const session = sessionPayload({
      id: sessionId(1),
      record: { agent: 'claude', machine: 'here', ...gone },
    });
    const deps = { machine: machineHere(), probe: createRepositoryProbe(), store, archives: [] };
    const located = await locateForCommands(
      { ...deps, sources: [createClaudeSource({ homes: [home] })] },
      session,
    );
    expect(located.command).toBe(`cd ${elsewhere} && claude --resume ${path} --fork-session`);
  });
});
