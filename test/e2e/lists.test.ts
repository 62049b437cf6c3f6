import { describe, expect, it } from 'vitest';
import { sessionId, writeSession } from '../app/fork/claude-session.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';
import { codexText, legacySession, writeCodex } from '../support/transcripts/codex-transcripts.ts';

/** Begun within a second of each other, as when agents start subagents: the first 8 characters are the same. */
const CODEX = ['019f1000-0001-7000-8000-0000000000c1', '019f1000-0002-7000-8000-0000000000c2'];
const LETTERS = 'facadebe-1111-4222-8333-444444444444';
const LONG =
  'Explain how the uploads are retried, and list every place where the delay between tries is set today';

const world = sharedWorld(async (world) => {
  for (const id of CODEX) writeCodex(world.codexHome, id, codexText(legacySession(id)));
  const home = world.claudeHome;
  writeSession({ home, id: LETTERS, cwd: '/home/dev/engine', asks: ['add a thing to the engine'] });
  writeSession({ home, id: sessionId(4), cwd: '/home/dev/engine', asks: [LONG] });
  await runCli(world, ['index', '--no-embed']);
});
const run = (words: string[], env = {}) => runCli(world(), words, { env: { COLUMNS: undefined, ...env } });

describe('lists in a pipe', () => {
  it('prints whole lines into a pipe', async () => {
    const { stdout } = await run(['sessions']);
    expect(stdout).toContain(LONG);
    expect(stdout.trimEnd().split('\n')).toHaveLength(5);
    expect((await run(['search', 'uploads', 'retried'])).stdout).toContain(`1. ${LONG}`);
    expect((await run(['sessions'], { COLUMNS: '60' })).stdout).not.toContain(LONG);
  });

  it('quotes a query once', async () => {
    expect((await run(['search', '"uploads are retried"'])).stdout).toContain(
      '1 session for "uploads are retried"',
    );
  });

  it('prints only ids with --ids', async () => {
    const { stdout } = await run(['sessions', '--ids', '--agent', 'codex']);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(CODEX);
    expect((await run(['search', 'uploads', 'retried', '--ids'])).stdout).toBe(`${sessionId(4)}\n`);
    expect((await run(['sessions', '--ids', '--branch', 'none'])).stdout).toBe('');
    const first = await run(['sessions', '--ids', '-n', '1']);
    expect(first.stdout.trim().split('\n').length).toBe(1);
    expect(first.stderr).toContain('only the newest 1: raise --limit');
    expect((await run(['sessions', '--ids', '--json'])).status).toBe(2);
  });

  it('accepts global options before the command too', async () => {
    const after = await run(['sessions', '-n', '1', '--color']);
    expect(await run(['--color', 'sessions', '-n', '1'])).toEqual(after);
    expect(after.stdout).toContain('\u001b[');
    expect(await run(['--no-color', 'nosuch'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('nosuch'),
    });
    expect((await run(['--debug', 'search', '--', '-x'])).stdout).not.toContain('--debug');
    for (const words of [['--debug'], ['--debug', '--help'], ['--no-color', 'help', 'search']])
      expect((await run(words)).stdout, words.join(' ')).toMatch(
        /^(?:Usage: )?smart-fork (?:<command>|search)/m,
      );
  });

  it('prints colours with --color, and none with --no-color', async () => {
    expect((await run(['sessions'])).stdout).not.toContain('\u001b[');
    expect((await run(['sessions', '--color'], { NO_COLOR: '1' })).stdout).toContain('\u001b[');
    expect((await run(['sessions', '--no-color'], { FORCE_COLOR: '1' })).stdout).not.toContain('\u001b[');
  });
});

describe('short ids', () => {
  it('lengthens short ids whose first eight characters are the time, and finds their session', async () => {
    const { stdout } = await run(['sessions', '--agent', 'codex']);
    const shown = [...stdout.matchAll(/^019f\S+/gm)].map(([id]) => id);
    expect(shown.sort()).toEqual(['019f1000-0001', '019f1000-0002']);
    for (const id of shown) expect(await runJson(world(), ['show', id])).toMatchObject({ problem: null });
  });

  it('accepts short ids that consist of letters only', async () => {
    const named = await run(['fork', 'facadebe', '--print']);
    expect(named.stdout).toMatch(new RegExp(`^cd \\S+ && claude --resume .*${LETTERS}.* --fork-session\n$`));
    expect((await run(['fork', 'decade', '--json'])).stdout).not.toContain('"session"');
    // Where nothing can be picked, a word can only be an id.
    expect((await run(['fork', 'faca', '--print'])).stdout).toBe(named.stdout);
    expect((await run(['fork', 'feed', '--print'])).stderr).toContain('"feed" is not the id');
    expect((await run(['fork', 'fac', '--print'])).stderr).toContain('"fac" is not the id');
  });
});

describe('smart-fork show', () => {
  const id = CODEX[0] ?? '';

  it('shows one turn with --turn', async () => {
    const { stdout } = await run(['show', id, '--turn', '2']);
    expect(stdout).toContain('turn 2');
    expect(stdout).toContain('日本語');
    expect(stdout).not.toContain('turn 1');
    const { turns } = (await runJson(world(), ['show', id, '--turn', '2'])) as { turns: { index: number }[] };
    expect(turns.map(({ index }) => index)).toEqual([1]);
    const { status, stderr } = await run(['show', id, '--turn', '3']);
    expect({ status, stderr }).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no turn 3: the session has 2'),
    });
  });

  it('shows the passages of matching turns with --query', async () => {
    const { stdout } = await run(['show', id, '--query', 'add thing']);
    expect(stdout).toContain('turn 1 of 2');
    expect(stdout).not.toContain('turn 2 of 2');
    expect(stdout).toContain('smart-fork show 019f1000-0001 --turn 1.');
    expect((await run(['show', id, '--query', 'kubernetes'])).stdout).toContain(
      'No turn contains a word of "kubernetes".',
    );
    expect(await runJson(world(), ['show', id, '--query', 'add thing'])).toMatchObject({
      matches: [{ turn: 1 }],
    });
    expect((await run(['show', id, '--query', 'x', '--turn', '1'])).status).toBe(2);
  });
});

describe('--repo', () => {
  it('accepts owner/name for --repo, whatever the host', async () => {
    for (const words of [
      ['sessions', '--ids'],
      ['search', 'thing', '--ids'],
    ]) {
      const { stdout } = await run([...words, '--repo', 'Acme/Widgets']);
      expect(stdout.trimEnd().split('\n').sort()).toEqual(CODEX);
      expect((await run([...words, '--repo', 'acme/engine'])).stdout).toBe('');
    }
  });

  it('selects the same sessions with --repo for index as for search', async () => {
    const found = async (repo: string) =>
      (await runJson(world(), ['index', '--no-embed', '--force', '--repo', repo])).found;
    expect(await found('engine')).toBe(2);
    expect(await found('/home/dev/engine')).toBe(2);
    expect(await found('github.com/acme/widgets')).toBe(2);
    expect(await found('acme/widgets')).toBe(2);
  });

  it('fails index --repo if the repository has no transcript', async () => {
    for (const repo of ['/nonexistent', 'nothing', 'acme/nothing']) {
      const { status, stdout, stderr } = await run(['index', '--repo', repo]);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^error: no .*no(t|n).*\nhint: smart-fork stats lists the indexed repositories/);
    }
  });
});
