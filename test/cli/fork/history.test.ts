import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCliMachines } from '../../support/machines/cli-machine.ts';
import { chooseSession } from '../../support/stores/choose-session.ts';

const newMachine = useCliMachines();
const CARDS = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';

describe('fork --last', () => {
  it('forks the newest session, as fork last does', async () => {
    const { run } = newMachine();
    await run(['index', '--no-embed']);
    const { sessions } = JSON.parse((await run(['sessions', '-n', '1', '--json'])).stdout);
    const newest = sessions[0].session_id;
    for (const words of [
      ['fork', '--last'],
      ['fork', 'last'],
    ])
      expect((await run(words)).stdout).toContain(newest);
    const { stdout } = await run(['fork', '--last', '--repo', 'harbor-dashboard', '--json']);
    expect(JSON.parse(stdout).session.repo_name).toBe('harbor-dashboard');
    const none = await run(['fork', '--last', '--tag', 'none']);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no session matches')]);
  });

  it('says so if the repository has no session, and the newest is of another', async () => {
    const { run, folder } = newMachine();
    await run(['index', '--no-embed']);
    const cwd = join(folder, 'fresh');
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q', cwd]);
    const { stdout, stderr } = await run(['fork', '--last', '--print'], { cwd });
    expect(stdout).toMatch(/\S/);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /No session of this repository: the newest of all is of \S+\./,
    );
    expect((await run(['fork', '--last', '--print'], { cwd: folder })).stderr).not.toContain(
      'No session of this repository',
    );
  });
});

describe('forks', () => {
  it('lists what was forked, with the searches before', async () => {
    const { home, run } = newMachine();
    await run(['index', '--no-embed']);
    expect((await run(['forks'])).stdout).toBe('No forks yet.\n');
    chooseSession(home, { sessionId: CARDS, query: 'token cards' });
    const { stdout } = await run(['forks']);
    expect(stdout).toContain('6ddaaadd Live token usage cards on the overview page\n');
    expect(stdout).toContain('agent started, no fork found yet · Claude · "token cards" · result 2\n');
    const { forks } = JSON.parse((await run(['forks', '--json'])).stdout);
    expect(forks).toMatchObject([{ session_id: CARDS, query: 'token cards', rank: 2, way: 'native' }]);
  });

  it('tells forks from agents that started, but wrote no session', async () => {
    const { folder, run } = newMachine();
    await run(['index', '--no-embed']);
    const bin = join(folder, 'failing');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\n[ "$1" = --version ] && exec echo 2.1.329\nexit 3\n', {
      mode: 0o755,
    });
    const PATH = `${bin}:${process.env.PATH}`;
    expect((await run(['fork', CARDS, '--exec'], { env: { PATH } })).code).toBe(3);
    const { stdout } = await run(['forks']);
    expect(stdout).toContain('agent started, no fork found yet');
  });

  it.skipIf(process.platform === 'win32')(
    'says which fork is not indexed, because it was not used',
    async () => {
      const { folder, run } = newMachine();
      await run(['index', '--no-embed']);
      const bin = join(folder, 'idle');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'claude'), '#!/bin/sh\n[ "$1" = --version ] && exec echo 2.1.329\nexit 0\n', {
        mode: 0o755,
      });
      const PATH = `${bin}:${process.env.PATH}`;
      await run(['fork', CARDS, '--at', '1', '--exec'], { env: { PATH } });
      expect((await run(['forks'])).stdout).toMatch(/ [0-9a-f]{8} \(not indexed yet\)\n/);
      const { forks } = JSON.parse((await run(['forks', '--json'])).stdout);
      expect(forks[0]).toMatchObject({ way: 'turn', turn: 1, result_indexed: false });
      const { stderr } = await run(['show', forks[0].result_session_id]);
      expect(stderr.replace(/\s+/g, ' ')).toContain('smart-fork index adds new ones, and a fork once its');
      expect((await run(['index', '--no-embed'])).stdout).toContain(
        '1 fork that only repeats its parent so far',
      );
    },
  );

  it('tells printed commands and passed context from forks', async () => {
    const { home, run } = newMachine();
    await run(['index', '--no-embed']);
    chooseSession(home, { sessionId: CARDS, way: 'inject', turn: 4 });
    await run(['fork', CARDS, '--print', '--query', 'token cards']);
    const { stdout } = await run(['forks']);
    expect(stdout).toContain('command printed · Claude · "token cards"\n');
    expect(stdout).toContain('context up to turn 4 given to a new session · Claude');
    expect(stdout).not.toContain('forked');
    const { forks } = JSON.parse((await run(['forks', '--json'])).stdout);
    expect(forks).toMatchObject([{ printed: true }, { printed: false }]);
  });
});

describe('stats --searches', () => {
  it('counts searches and the forks after them, and keeps no words', async () => {
    const { home, run } = newMachine();
    await run(['index', '--no-embed']);
    expect((await run(['stats', '--searches'])).stdout).toMatch(/Searches +none yet/);
    await run(['search', 'real-time token usage cards']);
    await run(['search', 'zebra quagga okapi']);
    const log = readFileSync(join(home, 'logs', 'search.log'), 'utf8');
    expect(log.trim().split('\n')).toHaveLength(2);
    expect(log).not.toMatch(/token|zebra/);
    writeFileSync(
      join(home, 'logs', 'search.log'),
      log.replaceAll(/"at":"[^"]+"/g, '"at":"2026-07-01T00:00:00.000Z"'),
    );
    chooseSession(home, { sessionId: CARDS, query: 'token cards' });
    const { searches } = JSON.parse((await run(['stats', '--searches', '--json'])).stdout);
    expect(searches).toEqual({
      since: '2026-07-01T00:00:00.000Z',
      searches: 2,
      nothing_found: 1,
      forks: 1,
      first_taken: 0,
    });
    expect((await run(['stats', '--searches'])).stdout).toMatch(/Forks +1 after a search \(50%\), 0 of them/);
  });

  it('logs nothing if logs.enabled is false', async () => {
    const { home, run } = newMachine();
    await run(['index', '--no-embed']);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.json'), '{"logs": {"enabled": false}}');
    await run(['search', 'token cards']);
    const { stdout } = await run(['stats', '--searches', '--json']);
    expect(JSON.parse(stdout).searches).toBeUndefined();
    expect(() => readFileSync(join(home, 'logs', 'search.log'))).toThrow();
  });
});
