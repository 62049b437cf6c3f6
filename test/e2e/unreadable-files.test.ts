import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { jsonl, line, stampLines, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const isRoot = process.getuid?.() === 0;
/** Only a hang reaches it. */
const LONGEST_MS = 30_000;
const LONG = 'n'.repeat(249);

describe.skipIf(process.platform === 'win32')('files that are not transcripts', () => {
  it('reports each unreadable file once, and indexes all other transcripts', async () => {
    const world = createWorld();
    const { sessions, unreadable } = await oddFiles(world);
    const { failed } = await runJson(world, ['index', '--no-embed', '--archive']);
    const told = (failed as { path: string }[]).map(({ path }) => path);
    expect(told.toSorted()).toEqual(unreadable.toSorted());
    const listed = await runJson(world, ['sessions']);
    expect(listed.sessions).toHaveLength(sessions.length);
    const { stdout } = await runCli(world, ['sessions']);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
    expect(await runCli(world, ['worker', '--drain'])).toMatchObject({ status: 0 });
    expect(await runJson(world, ['sessions'])).toEqual(listed);
  });

  it.each([
    ['claude/history.jsonl', ['index', '--no-embed', '--json']],
    ['claude/settings.json', ['doctor', '--json']],
    ['claude/settings.json', ['init', '--dry-run']],
    ['codex/history.jsonl', ['index', '--no-embed', '--json']],
    ['codex/session_index.jsonl', ['index', '--no-embed', '--json']],
    ['codex/config.toml', ['doctor', '--json']],
    ['.local/share/opencode/opencode.db', ['index', '--no-embed', '--json']],
    ['.gemini/projects.json', ['index', '--no-embed', '--json']],
    ['.gemini/settings.json', ['doctor', '--json']],
    ['home/index.db', ['search', 'a thing']],
    ['home/state.db', ['search', 'a thing']],
    ['home/serve-token', ['search', 'a thing']],
    ['home/serve.json', ['search', 'a thing']],
    ['home/searches.json', ['search', 'a thing']],
    ['home/logs/search.log', ['search', 'a thing']],
    ['home/logs/errors.log', ['doctor', '--json']],
    ['home/worker.json', ['status', '--json']],
    ['home/installed.json', ['init', '--dry-run']],
    ['home/service.json', ['doctor', '--json']],
    ['home/config.json', ['hook', 'stop']],
    [`home/archive/${uuidOf('kept')}/manifest.json`, ['doctor', '--json']],
  ])('does not wait for the writer of a pipe in the place of %s: %j', async (name, words) => {
    const world = createWorld();
    const path = join(world.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('mkfifo', [path]);
    const timer = AbortSignal.timeout(LONGEST_MS);
    const { status, stdout, stderr } = await runCli(world, words, {
      onStart: (child) => timer.addEventListener('abort', () => child.kill('SIGKILL')),
    });
    expect([0, 1], stdout + stderr).toContain(status);
  });

  it('exports and restores a session whose file has the longest possible name', async () => {
    const world = createWorld();
    await oddFiles(world);
    await runJson(world, ['index', '--no-embed', '--archive']);
    expect(await runJson(world, ['export'])).toMatchObject({ written: 3, failed: [] });
    expect(await runJson(world, ['export'])).toMatchObject({ written: 0, unchanged: 3, removed: 0 });
    const path = join(world.claudeHome, 'projects/p', `${LONG}.jsonl`);
    const bytes = readFileSync(path);
    rmSync(path);
    const restored = await runJson(world, ['restore', LONG.slice(0, 12)]);
    expect(readFileSync(String(restored.path))).toEqual(bytes);
  });
});

/** Three sessions, two of them with odd names, and everything else that can be called `….jsonl`. */
async function oddFiles({ claudeHome }: World): Promise<{ sessions: string[]; unreadable: string[] }> {
  const folder = join(claudeHome, 'projects/p');
  mkdirSync(folder, { recursive: true });
  const sessions = [uuidOf('plain'), 'a\nb\u001b[31m', LONG];
  for (const [at, name] of sessions.entries()) writeFileSync(join(folder, `${name}.jsonl`), talk(at));
  mkdirSync(join(folder, 'folder.jsonl'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  const socket = createServer();
  await new Promise<void>((done) => socket.listen(join(folder, 's.jsonl'), done));
  onTestFinished(() => void socket.close());
  for (const [name, target] of [
    ['passwords', '/etc/passwd'],
    ['zero', '/dev/zero'],
    ['cycle-of-folders', '..'],
  ] as const)
    symlinkSync(target, join(folder, `${name}.jsonl`));
  const broken = [
    ['dangling', '/nowhere/at/all'],
    ['cycle', 'cycle.jsonl'],
    // It can be opened, but reading it fails.
    ...(process.platform === 'linux' ? [['memory', '/proc/self/mem']] : []),
  ].map(([name = '', target = '']) => {
    const path = join(folder, `${name}.jsonl`);
    symlinkSync(target, path);
    return path;
  });
  return { sessions, unreadable: [...broken, ...(isRoot ? [] : closedFiles(claudeHome))] };
}

function closedFiles(claudeHome: string): string[] {
  const file = join(claudeHome, 'projects/p', `${uuidOf('closed')}.jsonl`);
  writeFileSync(file, talk(9), { mode: 0 });
  const folder = join(claudeHome, 'projects/closed');
  mkdirSync(folder);
  chmodSync(folder, 0);
  onTestFinished(() => chmodSync(folder, 0o700));
  return [file, folder];
}

function talk(at: number): string {
  return jsonl(stampLines([line.user(`tune the carburettor ${at}`), line.assistant('Done.')]));
}
