import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectSlug } from '../../../src/adapters/claude/files/restore-path.ts';
import { type CliMachine, useCliMachines } from '../../support/machines/cli-machine.ts';
import { releaseDatabases } from '../../support/stores/release-databases.ts';

const createCliMachine = useCliMachines();

const ID = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';
const OTHER = '0463bb87-fc1b-44e9-8554-fe6531d17ca6';

/** Indexed sample sessions, one of which has lost its transcript. */
async function afterThirtyDays() {
  const machine = createCliMachine();
  const projects = join(machine.folder, 'claude', 'projects');
  const path = findIn(projects, ID) ?? '';
  const bytes = readFileSync(path);
  const indexed = await machine.run(['index', '--no-embed', '--archive', '--json']);
  expect(JSON.parse(indexed.stdout).archive).toEqual({ kept: 13, evicted: 0, problem: null });
  await releaseDatabases();
  rmSync(path);
  const cwd = join(machine.folder, 'harbor');
  mkdirSync(cwd);
  const target = join(projects, projectSlug(cwd), `${ID}.jsonl`);
  return { machine, projects, path, bytes, cwd, target };
}

function findIn(projects: string, id: string): string | null {
  const folder = readdirSync(projects).find((name) => existsSync(join(projects, name, `${id}.jsonl`)));
  return folder === undefined ? null : join(projects, folder, `${id}.jsonl`);
}

async function json(machine: CliMachine, words: string[], cwd?: string) {
  const ran = await machine.run([...words, '--json'], cwd === undefined ? {} : { cwd });
  expect(ran.code).toBe(0);
  return JSON.parse(ran.stdout);
}

it('finds, reads, restores and forks a session whose transcript is gone', async () => {
  const { machine, projects, bytes, cwd, target } = await afterThirtyDays();
  const { results } = await json(machine, ['search', 'live token usage cards']);
  expect(results[0]).toMatchObject({ session_id: ID, local: false, restorable: true, can_fork: true });
  expect(results[0].fork_command).toBe(`smart-fork restore ${ID} && claude --resume ${ID} --fork-session`);
  const listed = await json(machine, ['sessions', '--limit', '100']);
  expect(listed.sessions.filter(({ restorable }: { restorable: boolean }) => restorable)).toHaveLength(1);
  const shown = await json(machine, ['show', '6ddaaadd']);
  expect(shown.turns[0].user).toContain('token usage');
  const context = await json(machine, ['retrieve', '6ddaaadd']);
  expect(context).toMatchObject({ from: 'archive', local: false, restorable: true });
  expect(findIn(projects, ID)).toBeNull();
  expect(existsSync(join(machine.home, 'tmp')) ? readdirSync(join(machine.home, 'tmp')) : []).toEqual([]);

  const restored = await json(machine, ['restore', '6ddaaadd'], cwd);
  expect(restored).toMatchObject({ state: 'restored', path: target });
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect(restored.fork_command).toBe(`cd ${cwd} && claude --resume ${ID} --fork-session`);
  const again = await machine.run(['restore', ID], { cwd });
  expect(again.stdout).toContain('the transcript is already there');
  const fork = await machine.run(['fork', '6ddaaadd', '--print'], { cwd });
  expect(fork.stdout.trim()).toBe(`cd ${cwd} && claude --resume ${ID} --fork-session`);
});

it('writes nothing if a fork is only printed: the printed command restores', async () => {
  const { machine, projects, cwd } = await afterThirtyDays();
  const fork = await machine.run(['fork', ID, '--print'], { cwd });
  expect(fork.stdout.trim()).toBe(
    `smart-fork restore ${ID} --to ${cwd} && cd ${cwd} && claude --resume ${ID} --fork-session`,
  );
  expect(fork.stderr).toContain('gone from this machine, but archived: it is restored first');
  expect(findIn(projects, ID)).toBeNull();
  const check = await machine.run(['fork', ID, '--check', '--json'], { cwd });
  expect(JSON.parse(check.stdout).facts).toMatchObject({ path: null, restorable: true, folder: cwd });
});

it('restores the transcript and starts the agent if a fork is run at once', async () => {
  const { machine, bytes, cwd, target } = await afterThirtyDays();
  const bin = join(machine.folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.329 && exit\necho "$@" > "${machine.folder}/called"\npwd >> "${machine.folder}/called"\n`;
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 });
  const env = { PATH: `${bin}:${machine.env.PATH}` };
  const fork = await machine.run(['fork', ID, '--exec'], { cwd, env });
  expect(fork.code).toBe(0);
  expect(fork.stderr).toContain(`Restored its transcript: ${target}`);
  const [called = '', from] = readFileSync(join(machine.folder, 'called'), 'utf8').split('\n');
  expect(called).toContain(`--resume ${ID} --fork-session`);
  expect(from).toBe(cwd);
  expect(readFileSync(target).equals(bytes)).toBe(true);
});

it('removes the restored transcript if the agent cannot be started', async () => {
  const { machine, projects, cwd } = await afterThirtyDays();
  const bin = join(machine.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/no/such/interpreter\n', { mode: 0o755 });
  const fork = await machine.run(['fork', ID, '--exec'], {
    cwd,
    env: { PATH: `${bin}:${machine.env.PATH}` },
  });
  expect(fork.code).not.toBe(0);
  expect(findIn(projects, ID)).toBeNull();
});

it('forks an archived session at a turn without restoring it', async () => {
  const { machine, projects, cwd } = await afterThirtyDays();
  const { command, way } = await json(machine, ['fork', ID, '--at', '1', '--print'], cwd);
  expect({ way, command }).toEqual({
    way: 'turn',
    command: `cd ${cwd} && smart-fork fork ${ID} --at 1 --exec`,
  });
  const bin = join(machine.folder, 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.329 && exit\necho "$2" > "${machine.folder}/called"\n`;
  writeFileSync(join(bin, 'claude'), script, { mode: 0o755 });
  const env = { PATH: `${bin}:${machine.env.PATH}` };
  await machine.run(['fork', ID, '--at', '1', '--exec'], { cwd, env });
  const id = readFileSync(join(machine.folder, 'called'), 'utf8').trim();
  expect(basename(findIn(projects, id) ?? '')).toBe(`${id}.jsonl`);
  expect(findIn(projects, ID)).toBeNull();
});

it('names the file in the way of a restore, and leaves it alone', async () => {
  const { machine, cwd, target } = await afterThirtyDays();
  mkdirSync(join(target, '..'));
  writeFileSync(target, 'another one\n');
  const refused = await machine.run(['restore', ID], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr.replace(/\s+/g, '')).toContain(target);
  expect(refused.stderr).toContain('move it away');
  expect(readFileSync(target, 'utf8')).toBe('another one\n');
});

it('exits with 2 without a folder, and with 1 for an id that is not archived', async () => {
  const { machine } = await afterThirtyDays();
  expect((await machine.run(['restore', ID, '--to', join(machine.folder, 'nowhere')])).code).toBe(2);
  expect((await machine.run(['restore', 'ffffffff'])).stderr).toContain('no indexed session');
  const other = readdirSync(join(machine.home, 'archive')).find((id) => id !== ID) ?? '';
  rmSync(join(machine.home, 'archive', other), { recursive: true });
  const refused = await machine.run(['restore', other]);
  expect(refused.stderr).toContain('no archived transcript of session');
  expect(refused.stderr).toContain('The transcript is on this machine');
});

it('restores from only the archive if the index was deleted', async () => {
  const { machine, bytes, cwd, target } = await afterThirtyDays();
  for (const name of readdirSync(machine.home)) {
    if (name !== 'archive') rmSync(join(machine.home, name), { recursive: true });
  }
  expect(await json(machine, ['restore', '6DDAAADD'], cwd)).toMatchObject({ state: 'restored' });
  expect(readFileSync(target).equals(bytes)).toBe(true);
});

it('restores from only the archive if the index is unreadable', async () => {
  const { machine, bytes, cwd, target } = await afterThirtyDays();
  const index = join(machine.home, 'index.db');
  // A database that is still open, and its log, would make the file readable.
  for (const end of ['', '-wal', '-shm']) rmSync(index + end, { force: true });
  writeFileSync(index, 'broken '.repeat(1000));
  expect(await json(machine, ['restore', '6ddaaadd'], cwd)).toMatchObject({ state: 'restored' });
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect((await machine.run(['restore', 'abcdef'], { cwd })).stderr).toContain('index.db');
});

it('falls back to the index, and says so, if the archived copy is damaged', async () => {
  const { machine } = await afterThirtyDays();
  const folder = join(machine.home, 'archive', ID);
  const part = readdirSync(folder).find((name) => name.endsWith('.br')) ?? '';
  appendFileSync(join(folder, part), 'x');
  writeFileSync(join(folder, part), 'broken');
  const ran = await machine.run(['retrieve', ID, '--json']);
  expect(JSON.parse(ran.stdout).from).toBe('store');
  expect(ran.stderr).toContain(part);
  expect((await machine.run(['show', ID])).stdout.replace(/\s+/g, '')).toContain(part);
});

it('deletes the archived copy with a forgotten session, warns first if it is the only one, and purges the archive', async () => {
  const { machine } = await afterThirtyDays();
  const asked = async (...ids: string[]) =>
    (await machine.run(['forget', ...ids])).stderr.replace(/\s+/g, ' ');
  expect(await asked(ID)).toContain(
    'Add --yes to forget 1 session, or --dry-run to see them. The archive has the only copy, and it will be deleted too.',
  );
  expect(await asked(ID, OTHER)).toContain(
    'Add --yes to forget 2 sessions, or --dry-run to see them. The archive has the only copy of 1 of them',
  );
  expect(await asked(OTHER)).not.toContain('only copy');
  expect((await machine.run(['forget', ID, '--yes'])).code).toBe(0);
  expect(existsSync(join(machine.home, 'archive', ID))).toBe(false);
  expect(readdirSync(join(machine.home, 'archive'))).toHaveLength(12);
  expect((await machine.run(['restore', ID])).code).toBe(1);
  const { archive } = await json(machine, ['stats']);
  expect(archive).toMatchObject({ enabled: true, sessions: 12, max_bytes: 2_000_000_000 });
  expect((await json(machine, ['status'])).archive).toEqual(archive);
  expect((await machine.run(['doctor'])).stdout).toContain('12 transcripts');
  await machine.run(['uninstall', '--purge', '--yes']);
  expect(existsSync(machine.home)).toBe(false);
});

it('archives nothing when the archive is turned off', async () => {
  const machine = createCliMachine();
  await machine.run(['config', 'set', 'archive.enabled', 'false']);
  const { archive } = await json(machine, ['index', '--no-embed', '--archive']);
  expect(archive).toEqual({ kept: 0, evicted: 0, problem: null });
  expect(existsSync(join(machine.home, 'archive'))).toBe(false);
  expect((await machine.run(['stats'])).stdout).toContain('off, nothing archived');
});
