import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSlow } from '../support/campaign.ts';
import { runProgram } from '../support/machines/run-program.ts';
import { terminalSvg } from '../support/terminal/terminal-svg.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURE = join(ROOT, 'docs/pictures/terminal.svg');
/** The folder of the sample sessions. The temporary one is as long, so that lines end where they would there. */
const CODE = '/home/sam/code';
const BEFORE = '2020-01-01T00:00:00Z';
const AFTER = '2026-11-20T00:00:00Z';
const QUERY = 'add real-time token usage cards to my dashboard';

describe.skipIf(!isSlow || process.platform !== 'linux')('the terminal in the README', () => {
  it('shows what the program prints', async () => {
    const folder = mkdtempSync('/tmp/sf-');
    const home = mkdtempSync('/tmp/smart-fork-picture-');
    expect(folder).toHaveLength(CODE.length);
    try {
      copySessions(join(home, 'claude'), folder);
      makeRepository(join(folder, 'harbor-dashboard'));
      writeAgent(join(home, 'bin'));
      const env = {
        PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}`,
        HOME: home,
        CLAUDE_CONFIG_DIR: join(home, 'claude'),
        SMART_FORK_HOME: join(home, '.smart-fork'),
        COLUMNS: '80',
        TZ: 'UTC',
      };
      const run = async (...words: string[]) => {
        const color = words[0] === 'index' ? {} : { FORCE_COLOR: '1' };
        const { stdout } = await runProgram(words, { cwd: home, env: { ...env, ...color } });
        return stdout.replaceAll(folder, CODE);
      };
      await run('index', '--no-embed');
      const found = await run('search', QUERY, '-n', '1');
      const checked = await run('fork', '6ddaaadd', '--check');
      expect(found).toContain('Recommended');
      expect(checked).toContain('Since then');
      const shown = found.replace(/\n[^\n]*Paste a command[\s\S]*$/, '');
      writeFileSync(
        PICTURE,
        terminalSvg(
          [
            `$ smart-fork search "${QUERY}" -n 1`,
            shown.trimEnd(),
            '',
            '$ smart-fork fork 6ddaaadd --check',
            checked,
          ].join('\n'),
        ),
      );
    } finally {
      for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
    }
  });
});

it('has no path of the machine on which it was taken', () => {
  const picture = readFileSync(PICTURE, 'utf8');
  expect(picture).toContain(CODE);
  expect(picture).not.toMatch(/\/tmp\/|undefined|NaN/);
});

function copySessions(to: string, folder: string): void {
  cpSync(join(ROOT, 'examples', 'claude'), to, { recursive: true });
  const projects = join(to, 'projects');
  for (const name of readdirSync(projects))
    renameSync(join(projects, name), join(projects, name.replace(encoded(CODE), encoded(folder))));
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(to, name);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(CODE, folder));
  }
}

/** A project's folder as Claude Code names it. */
function encoded(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** Three commits since the session, one of them to a file that the session changed. */
function makeRepository(folder: string): void {
  mkdirSync(join(folder, 'lib', 'usage'), { recursive: true });
  const git = (date: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.org', ...words], {
      cwd: folder,
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  git(BEFORE, 'init', '-q', '-b', 'main');
  git(BEFORE, 'commit', '-q', '--allow-empty', '-m', 'Begin');
  for (const name of ['lib/usage/live.ts', 'README.md', 'lib/login.ts']) {
    writeFileSync(join(folder, name), `${name}\n`);
    git(AFTER, 'add', '-A');
    git(AFTER, 'commit', '-qm', `Change ${name}`);
  }
}

function writeAgent(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\necho 2.1.329\n', { mode: 0o755 });
}
