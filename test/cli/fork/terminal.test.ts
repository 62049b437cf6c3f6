import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { projectSlug } from '../../../src/adapters/claude/files/restore-path.ts';
import { sessionId, writeSession } from '../../app/fork/claude-session.ts';
import { hasTmux, openTerminal, type RealTerminal } from '../../support/terminal/tmux.ts';

const cli = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Most results per search. */
const SESSIONS = 200;

let folder: string;
let project: string;
let env: Record<string, string>;
let terminal: RealTerminal | null = null;
let opened = 0;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-terminal-')));
  project = join(folder, 'my project');
  mkdirSync(project);
  installAgent();
  env = {
    HOME: folder,
    SMART_FORK_HOME: join(folder, 'home'),
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
    SMART_FORK_MACHINE: 'here',
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    LANG: 'C.UTF-8',
  };
  writeSessions();
  run('index', '--no-embed');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  terminal?.close();
  terminal = null;
});

/** Replaces Claude Code: prints its version, or its arguments. */
function installAgent(): void {
  mkdirSync(join(folder, 'bin'));
  const script = '#!/bin/sh\nif [ "$1" = --version ]; then echo "2.1.329 (Claude Code)"; exit; fi\n';
  const path = join(folder, 'bin', 'claude');
  writeFileSync(path, `${script}echo "STARTED in $(pwd) with $*"\nexit 3\n`);
  chmodSync(path, 0o755);
}

function writeSessions(): void {
  const home = join(folder, 'claude');
  const long = [
    'add a retry to the upload',
    ...Array.from({ length: 9 }, (_, turn) => `now the docs, part ${turn}`),
  ];
  writeSession({
    home,
    id: sessionId(1),
    cwd: project,
    asks: long,
    answers: long.map((ask) => `${ask}: done. `.repeat(30)),
  });
  writeSession({
    home,
    id: sessionId(2),
    cwd: project,
    asks: ['upload アップロード の 再試行 を追加する', 'テスト'],
  });
  writeSession({ home, id: sessionId(900), cwd: '/elsewhere', asks: ['forge an anvil'] });
  for (let n = 3; n <= SESSIONS; n += 1)
    writeSession({ home, id: sessionId(n), cwd: project, asks: [`upload number ${n} of widget ${n}`] });
}

function run(...words: string[]) {
  const path = process.env.PATH ?? '';
  const result = spawnSync(process.execPath, [cli, ...words], {
    cwd: project,
    env: { ...env, PATH: `${join(folder, 'bin')}:${path}` },
    encoding: 'utf8',
    input: '',
  });
  return result;
}

async function open(
  command: string,
  more: Record<string, string> = {},
  columns = 80,
  rows = 24,
): Promise<RealTerminal> {
  opened += 1;
  terminal = openTerminal({
    name: `smart-fork-${process.pid}-${opened}`,
    columns,
    rows,
    env: { ...env, ...more },
  });
  await terminal.type(`cd '${project}' && clear\n`);
  await terminal.type(`${command.replace('smart-fork', `'${process.execPath}' '${cli}'`)}\n`);
  return terminal;
}

/** Transcripts not written by the test itself. */
function newFiles(): string[] {
  const transcripts = readdirSync(join(folder, 'claude', 'projects', projectSlug(project)));
  const known = new Set(Array.from({ length: SESSIONS }, (_, n) => `${sessionId(n + 1)}.jsonl`));
  const context = join(folder, 'home', 'context');
  return [
    ...transcripts.filter((name) => !known.has(name)),
    ...(existsSync(context) ? readdirSync(context) : []),
  ];
}

const SCREEN = 'Which session would you like to fork';
const KEYS = 'Enter fork';

describe.skipIf(!hasTmux)('fork in a real terminal', { timeout: 60_000 }, () => {
  it('leads from a query to a forked conversation with two Enters', async () => {
    const real = await open('smart-fork; echo "code $?"');
    expect(await real.waitFor('200+ recent')).toContain('What would you like to do?');
    await real.type('add a retry to the upload\n');
    const shown = await real.waitFor(/> add a retry to the upload_ .*50\+ found/);
    expect(shown).toContain('❯ add a retry to the upload\n');
    await real.press('Enter');
    const done = await real.waitFor('code 3');
    expect(done).toContain('You selected: Session 00000001');
    expect(done).toContain('✔ Transcript');
    expect(done).toMatch(/Ready in \d/);
    expect(done.replace(/\n/g, '')).toContain(
      `STARTED in ${project} with --resume ${sessionId(1)} --fork-session`,
    );
  });

  it('counts only its own time, not that in the menu', async () => {
    const real = await open(`smart-fork fork ${sessionId(1)} --at 1`);
    await real.waitFor('What now?');
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await real.press('Enter');
    const done = await real.waitFor(/Ready in [\d.]+ m?s/);
    const [, took = '', unit] = /Ready in ([\d.]+) (m?s)/.exec(done) ?? [];
    expect(Number(took) / (unit === 'ms' ? 1000 : 1)).toBeLessThan((performance.now() - begun) / 1000 - 2.5);
  });

  it('ends as with Ctrl-C when the terminal goes away', async () => {
    const [code, script] = [join(folder, 'code'), join(folder, 'gone.sh')];
    // An interactive shell would end with its terminal.
    writeFileSync(
      script,
      `trap '' HUP\n'${process.execPath}' '${cli}' fork add a retry to the upload\necho $? > '${code}'\n`,
    );
    const real = await open('sh ../gone.sh');
    await real.waitFor(KEYS);
    real.close();
    await expect
      .poll(() => existsSync(code) && readFileSync(code, 'utf8'), { timeout: 20_000 })
      .toBe('130\n');
  });

  it('ends as with Ctrl-C when it is told that the terminal goes away', async () => {
    const [pid, script] = [join(folder, 'pid'), join(folder, 'told.sh')];
    writeFileSync(
      script,
      `echo $$ > '${pid}'\nexec '${process.execPath}' '${cli}' fork add a retry to the upload\n`,
    );
    const real = await open('sh ../told.sh; echo "code $?"');
    await real.waitFor(KEYS);
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGHUP');
    await real.waitFor('code 130');
  });

  it('forks at the matching turn with Ctrl-T', async () => {
    const real = await open('smart-fork fork add a retry to the upload; echo "code $?"', {}, 120);
    await real.waitFor('Ctrl-T fork at turn 1');
    await real.press('C-t');
    const done = await real.waitFor('code 3');
    const [copy = ''] = newFiles();
    expect(done.replace(/\n/g, '')).toContain(
      `STARTED in ${project} with --resume ${copy.replace('.jsonl', '')}`,
    );
    const path = join(folder, 'claude', 'projects', projectSlug(project), copy);
    expect(readFileSync(path, 'utf8')).not.toContain('part 0');
    rmSync(path);
  });

  it('resumes with Ctrl-R, and copies the command with Ctrl-Y', async () => {
    const real = await open('smart-fork fork add a retry to the upload; echo "code $?"');
    await real.waitFor(KEYS);
    await real.press('C-r');
    const resumed = await real.waitFor('code 3');
    expect(resumed.replace(/\n/g, '')).toContain(`STARTED in ${project} with --resume ${sessionId(1)}`);
    expect(resumed.split('STARTED')[1]).not.toContain('--fork-session');
    await real.type(`clear; '${process.execPath}' '${cli}' fork add a retry to the upload; echo "code $?"\n`);
    await real.waitFor(KEYS);
    await real.press('C-y');
    const copied = await real.waitFor('code 0');
    expect(copied).toContain('(copied, if your terminal allows it)');
    expect(copied.replace(/\n/g, '')).toContain(`--resume ${sessionId(1)} --fork-session`);
    expect(newFiles()).toEqual([]);
  });

  it('previews the highlighted session, and lists and filters all behind More', async () => {
    const real = await open('smart-fork fork upload', {}, 110, 30);
    const first = await real.waitFor(SCREEN);
    for (const text of ['4. None - start fresh', '5. Type something', 'More …   17+ other sessions'])
      expect(first).toContain(text);
    await real.press('Down', 'Down');
    await real.waitFor('❯ 3.');
    expect(await real.waitFor(/turn 1 of \d+/)).toContain('Mar 1, 2026');
    await real.press('Down');
    await real.waitFor((screen) => screen.includes('❯ 4.') && !/turn 1 of/.test(screen));
    await real.press('End', 'Up', 'Enter');
    await real.waitFor(/> upload_ .*200\+ found/);
    await real.type(' 再試行');
    expect(await real.waitFor(/> upload 再試行_ .*found/)).toMatch(/❯ upload アップロード の 再試行/);
    await real.press('C-u');
    await real.type('widget 77');
    expect(await real.waitFor(/> widget 77_ .*found/)).toMatch(/❯ upload number 77 of widget 77/);
    await real.press('Escape');
    await real.waitFor(SCREEN);
    await real.press('Down', 'End');
    await real.waitFor('❯    Read this session first (2)');
    await real.press('Enter');
    await real.waitFor(/turn 1 of \d+[\s\S]*\n> upload/);
    await real.press('Escape');
    await real.waitFor(SCREEN);
    await real.press('2');
    await real.waitFor('You selected: Session');
  });

  it('finds words before they are finished, and nothing that is nowhere', async () => {
    const real = await open('smart-fork');
    await real.waitFor('200+ recent');
    await real.type('anv');
    await real.waitFor(/> anv_ .*1 found/);
    await real.waitFor('❯ forge an anvil');
    await real.press('C-u');
    await real.type('qqzz');
    expect(await real.waitFor(/> qqzz_ .*0 found/)).toContain('❯ None - start fresh');
  });

  it('reads a session with its answers, and finds a text in it', async () => {
    const real = await open('smart-fork fork add a retry to the upload');
    await real.waitFor(KEYS);
    await real.press('Right');
    expect(await real.waitFor(/turn 1 of 10/)).toContain('> add a retry to the upload');
    await real.type('/docs, part 8');
    await real.press('Enter');
    const found = await real.waitFor('/docs, part 8: on');
    expect(found).toContain('turn 10 of 10');
    await real.press('Enter');
    await real.waitFor('You selected: Session 00000001');
  });

  it('chooses None by its digit, however many sessions there are', async () => {
    const real = await open('smart-fork fork anvil');
    expect(await real.waitFor('2. None - start fresh')).toContain('❯ 1. forge an anvil');
    await real.press('2');
    await real.waitFor('Starting fresh with no prior context.');
  });

  it('switches between this repository’s sessions and all sessions with Tab', async () => {
    spawnSync('git', ['init', '-q', project]);
    try {
      const real = await open('smart-fork fork anvil');
      const all = await real.waitFor('all repositories');
      expect(all).toContain('❯ 1. forge an anvil');
      await real.press('Tab');
      expect(await real.waitFor('Nothing found.')).toContain('Tab searches all repositories.');
      await real.press('Tab');
      await real.waitFor('❯ 1. forge an anvil');
    } finally {
      rmSync(join(project, '.git'), { recursive: true, force: true });
    }
  });

  it('shows the picker at any size, and survives resizing', async () => {
    const real = await open('smart-fork fork upload', {}, 40, 15);
    await real.waitFor('None - start fresh');
    for (const [columns, rows] of [
      [40, 24],
      [120, 40],
      [200, 30],
      [50, 15],
      [80, 24],
    ] as const) {
      real.resize(columns, rows);
      await real.waitFor((screen) =>
        ['❯ 1.', 'Enter fork'].every(
          (text) => screen.split('\n').filter((line) => line.includes(text)).length === 1,
        ),
      );
    }
  });

  it.each([
    ['the question', 'smart-fork', 'What would you like to do?', []],
    ['the choices', 'smart-fork fork upload', KEYS, []],
    ['the list', 'smart-fork fork upload', KEYS, ['u', 'p']],
    ['the story', 'smart-fork fork upload', KEYS, ['Right']],
    ['the choice of action', `smart-fork fork ${sessionId(1)}`, 'What now?', []],
    ['no results', 'smart-fork fork qqzzxx', 'Would you like to:', []],
  ])('leaves nothing behind after Ctrl-C at %s', async (_, command, wait, keys) => {
    const before = run('sessions', '--json').stdout;
    const real = await open(`${command}; echo "code $?"`);
    await real.waitFor(wait);
    await real.press(...keys, 'C-c');
    const after = await real.waitFor('code 130');
    expect(after).toContain('Nothing was forked.');
    expect(after).not.toContain('❯');
    expect(newFiles()).toEqual([]);
    expect(run('sessions', '--json').stdout).toBe(before);
    await real.type('echo still "here"\n');
    await real.waitFor('still here');
  });

  it.each([
    ['the choice of action', `smart-fork fork ${sessionId(1)}`, 'What now?'],
    ['no results', 'smart-fork fork qqzzxx', 'Would you like to:'],
  ])('cancels %s with Esc', async (_, command, wait) => {
    const real = await open(`${command}; echo "code $?"`);
    await real.waitFor(wait);
    await real.press('Escape');
    expect(await real.waitFor('code 130')).toContain('Nothing was forked.');
  });

  it('cancels the picker at once with Esc, and restores the screen', async () => {
    const real = await open('echo before; smart-fork fork upload; echo "code $?"');
    await real.waitFor(KEYS);
    expect(real.screen()).not.toContain('before');
    await real.press('Escape');
    const after = await real.waitFor('code 130');
    expect(after).toContain('before');
    expect(after).not.toContain(SCREEN);
  });

  it('offers choices if nothing is found', async () => {
    const real = await open('smart-fork fork qqzzxx');
    expect(await real.waitFor('Browse recent')).toContain('No relevant sessions found for "qqzzxx"');
    await real.press('Down', 'Enter');
    await real.waitFor(/> qqzzxx_ .*0 found/);
    await real.press('C-u');
    await real.type('upload');
    await real.waitFor(/> upload_ .*found/);
    await real.press('End', 'Enter');
    await real.waitFor('Starting fresh with no prior context.');
  });

  it('asks in plain lines on a dumb terminal', async () => {
    const real = await open('TERM=dumb smart-fork fork add a retry to the upload; echo "code $?"');
    expect(await real.waitFor('Which one (1 to 6')).toContain(SCREEN);
    await real.type('9\n');
    await real.waitFor(/Which one[\s\S]*Which one/);
    await real.type('1\n');
    await real.waitFor('What now?');
    await real.type('4\n');
    const done = await real.waitFor('code 0');
    expect(done.replace(/\n/g, '')).toContain(`--resume ${sessionId(1)} --fork-session`);
  });

  it('shows the picker without colour with NO_COLOR', async () => {
    const real = await open('smart-fork fork upload', { NO_COLOR: '1' });
    await real.waitFor(KEYS);
    expect(real.colours()).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  it('opens a tmux window with --tmux', async () => {
    const real = await open(`smart-fork fork ${sessionId(2)} --tmux --name again`);
    const shown = await real.waitFor(/STARTED in .* with --resume/);
    expect(shown.replace(/\n/g, '')).toContain(
      `STARTED in ${project} with --resume ${sessionId(2)} --fork-session --name again`,
    );
  });
});

describe('fork without a terminal', { timeout: 60_000 }, () => {
  it('prints the results with their commands without a terminal', () => {
    const { stdout, status } = run('fork', 'add', 'a', 'retry', 'to', 'the', 'upload');
    expect(status).toBe(0);
    expect(stdout).toContain(`cd '${project}' && claude --resume ${sessionId(1)} --fork-session`);
    expect(stdout).not.toContain('\u001b[');
    expect(run('fork').status).toBe(2);
  });

  it('prints only the command of fork ID on stdout', () => {
    const { stdout, stderr, status } = run('fork', sessionId(2));
    expect(stdout).toBe(`cd '${project}' && claude --resume ${sessionId(2)} --fork-session\n`);
    expect(stderr).toMatch(/^Session 00000002/);
    expect(stderr).toContain('Fork Command:\n');
    expect(status).toBe(0);
  });

  it('prints the checks of fork --check as text and as JSON', () => {
    expect(run('fork', sessionId(2), '--check').stdout).toContain('✔ Transcript');
    const flight = JSON.parse(run('fork', sessionId(2), '--check', '--json').stdout);
    expect(flight).toMatchObject({ session_id: sessionId(2), ready: true, facts: { folder: project } });
  });

  it('prints fork --json as JSON', () => {
    const fork = JSON.parse(run('fork', sessionId(1), '--at', '2', '--json').stdout);
    expect(fork).toMatchObject({ way: 'turn', turn: 2, agent: 'claude', directory: project });
    expect(fork.result_session_id).toBeNull();
    expect(newFiles()).toEqual([]);
  });

  it('returns the exit code of the agent with --exec', () => {
    const { status, stdout } = run('fork', sessionId(2), '--exec', '--name', 'x y');
    expect(status).toBe(3);
    expect(stdout).toMatch(
      new RegExp(
        `STARTED in ${project} with --resume ${sessionId(2)} --fork-session --name x y --session-id`,
      ),
    );
  });

  it('reports an error of fork in one line', () => {
    expect(run('fork', sessionId(1), '--at', '99').stderr).toContain('no turn 99: it has 10');
    expect(run('fork', sessionId(1), '--at', 'soon').status).toBe(2);
    expect(run('fork', '99999999-1111-4222-8333-444444444444').stderr).toContain('no indexed session');
    expect(newFiles()).toEqual([]);
  });

  it('draws a session’s forks with chain', () => {
    expect(run('chain', sessionId(2)).stdout).toContain('00000002');
    expect(JSON.parse(run('chain', sessionId(2), '--json').stdout)).toMatchObject({
      session_id: sessionId(2),
      forks: [],
    });
  });
});
