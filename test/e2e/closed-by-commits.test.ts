import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectSlug } from '../../src/adapters/claude/files/restore-path.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

interface Open {
  sessions: { ideas: { content: string }[] }[];
}

const ID = 'cccc5555-0000-4000-8000-000000000005';

it('closes what a session left with a commit made later outside sessions, and says which', async () => {
  const world = createWorld();
  const cwd = join(world.folder, 'code', 'uploads');
  mkdirSync(cwd, { recursive: true });
  const commit = (subject: string, time: string) => {
    writeFileSync(join(cwd, 'notes.txt'), subject);
    git(cwd, ['add', '.'], time);
    git(cwd, ['commit', '-q', '-m', subject], time);
  };
  git(cwd, ['init', '-q', '-b', 'main']);
  // Made before the session, so it closes nothing.
  commit('Limit the size of uploads on the gateway', '2026-02-01T09:00:00Z');
  const lines = [
    line.user('Uploads fail on slow networks. Make them retry.'),
    line.assistant(
      'The upload retries three times now.\n\n## Next steps\n\n- Add exponential backoff to the upload retries\n- Limit the size of uploads on the gateway',
    ),
  ];
  const stamped = stampLines(lines, { sessionId: ID, cwd, start: '2026-03-01T09:00:00.000Z' });
  writeClaude(world.claudeHome, ID, stamped, projectSlug(cwd));
  await runCli(world, ['index', '--no-embed']);

  const open = async () => {
    const { sessions } = (await runJson(world, ['open', '--everywhere'])) as unknown as Open;
    return sessions.flatMap(({ ideas }) => ideas.map(({ content }) => content));
  };
  expect(await open()).toHaveLength(2);
  commit('Rename the folder of the notes', '2026-03-02T09:00:00Z');
  expect(await open()).toHaveLength(2);
  commit('Add exponential backoff to upload retries', '2026-03-03T09:00:00Z');
  expect(await open()).toEqual(['Limit the size of uploads on the gateway']);
  const { stdout } = await runCli(world, ['timeline', '--everywhere', '--kind', 'todo']);
  expect(stdout).toMatch(/answered by commit [0-9a-f]{7}: Committed: Add exponential backoff/);
  const stats = await runJson(world, ['memory', 'stats']);
  expect(stats.open).toBe(1);
  // Something similar, which a few words tell apart.
  commit('Limit the length of names on the gateway', '2026-03-04T09:00:00Z');
  expect(await open()).toEqual(['Limit the size of uploads on the gateway']);
  git(cwd, ['checkout', '-q', '--detach']);
  commit('Limit the size of gateway uploads', '2026-03-05T09:00:00Z');
  expect(await open()).toEqual([]);
  // A repository that is gone closes nothing.
  renameSync(cwd, `${cwd}-moved`);
  expect(await open()).toHaveLength(2);
});

it('closes what was left in one clone with a commit in another, in which nothing was left', async () => {
  const world = createWorld();
  const [first, second] = ['one', 'two'].map((name) => join(world.folder, 'code', name)) as [string, string];
  const task = 'Limit the size of uploads on the gateway';
  for (const [at, cwd] of [first, second].entries()) {
    mkdirSync(cwd, { recursive: true });
    git(cwd, ['init', '-q', '-b', 'main']);
    git(cwd, ['remote', 'add', 'origin', 'https://example.com/acme/uploads.git']);
    const id = ID.replace(/5$/, String(at));
    const left = at === 0 ? `\n\n## Next steps\n\n- ${task}` : '';
    const said = line.assistant(`Done. The upload now retries three times on a slow network.${left}`);
    const lines = [line.user('Uploads fail on slow networks. Make them retry.'), said];
    const stamped = stampLines(lines, { sessionId: id, cwd, start: `2026-03-0${at + 1}T09:00:00.000Z` });
    writeClaude(world.claudeHome, id, stamped, projectSlug(cwd));
  }
  await runCli(world, ['index', '--no-embed']);
  const open = async () => {
    const { sessions } = (await runJson(world, ['open', '--everywhere'])) as unknown as Open;
    return sessions.flatMap(({ ideas }) => ideas.map(({ content }) => content));
  };
  expect(await open()).toEqual([task]);
  writeFileSync(join(second, 'notes.txt'), 'size');
  git(second, ['add', '.']);
  git(second, ['commit', '-q', '-m', 'Limit the size of gateway uploads'], '2026-03-05T09:00:00Z');
  expect(await open()).toEqual([]);
});

function git(cwd: string, args: string[], time?: string): void {
  const names = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  };
  const dates = time === undefined ? {} : { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...names, ...dates } });
}
