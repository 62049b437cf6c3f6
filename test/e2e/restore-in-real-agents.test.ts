import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { archiveTranscripts } from '../../src/app/archive/archive-transcripts.ts';
import { type Restored, restoreSession } from '../../src/app/archive/restore-session.ts';
import { archiveDependencies } from '../../src/compose/parts.ts';
import type { Agent } from '../../src/domain/agent/agents.ts';
import { sessionId, writeSession } from '../app/fork/claude-session.ts';
import { environmentIn, findClaude, runLine } from '../support/agents/real-claude.ts';
import { createWorld, indexWorld, openWorld, type World } from '../support/machines/world.ts';
import {
  codexMeta,
  codexText,
  codexTurn,
  event,
  PARENT_ID,
  writeCodex,
} from '../support/transcripts/codex-transcripts.ts';

const claude = findClaude();
const codex = process.env.SMART_FORK_TEST_CODEX ?? '';
if (codex === '') console.warn('skipped: Codex is not here (SMART_FORK_TEST_CODEX=/path/to/codex)');

/** Indexes and archives a transcript, deletes it like the agent, and restores it for a project. */
async function loseAndRestore(world: World, path: string, agent: Agent, id: string): Promise<Restored> {
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archiveTranscripts(await archiveDependencies(parts), {});
  const bytes = readFileSync(path);
  rmSync(dirname(path), { recursive: true });
  const directory = join(world.folder, 'my project');
  mkdirSync(directory);
  const restored = await restoreSession(
    { ...parts, threads: {} },
    { session: { session_id: id, agent }, directory },
  );
  if (restored === null) throw new Error('nothing was kept');
  expect(readFileSync(restored.path).equals(bytes)).toBe(true);
  return restored;
}

describe.skipIf(claude === null)(`Claude Code ${claude?.version ?? ''}`, { timeout: 120_000 }, () => {
  it('resumes and forks a restored session in Claude Code', async () => {
    const world = createWorld();
    const asks = ['one', 'two'];
    const path = writeSession({ home: world.claudeHome, id: sessionId(1), cwd: '/gone/project', asks });
    const env = environmentIn(world.folder, claude?.path ?? '');
    const restored = await loseAndRestore(world, path, 'claude', sessionId(1));
    for (const command of [restored.fork_command, restored.resume_command])
      expect(await runLine(`${command} -p hello`, world.folder, env)).toContain('Not logged in');
    rmSync(restored.path);
    expect(await runLine(`${restored.resume_command} -p hello`, world.folder, env)).toContain(
      'No conversation found',
    );
  });
});

describe.skipIf(codex === '')('Codex', { timeout: 120_000 }, () => {
  it('resumes and forks a restored session in Codex', async () => {
    const world = createWorld();
    const lines = [
      codexMeta(PARENT_ID),
      ...codexTurn(PARENT_ID),
      event('user_message', { message: 'one' }),
      event('agent_message', { message: 'Done: one' }),
    ];
    const path = writeCodex(world.codexHome, PARENT_ID, codexText(lines));
    const restored = await loseAndRestore(world, path, 'codex', PARENT_ID);
    expect(restored.fork_command).toContain(`codex fork ${PARENT_ID}`);
    const bin = join(world.folder, 'bin');
    mkdirSync(bin);
    symlinkSync(codex, join(bin, 'codex'));
    const env = {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: world.folder,
      CODEX_HOME: world.codexHome,
    };
    // Both find the session before they notice the missing login.
    const ask = (verb: string) =>
      readUntil(/session id: .*|no rollout found/, {
        words: ['codex', 'exec', '--skip-git-repo-check', verb, PARENT_ID, 'hello'],
        env,
        cwd: world.folder,
      });
    expect(await ask('resume')).toBe(`session id: ${PARENT_ID}`);
    expect(await ask('fork')).toContain('session id: ');
    rmSync(restored.path);
    expect(await ask('fork')).toBe('no rollout found');
  });
});

/** The matching output of a program, or all of it. Ends its process group, because the program may have started another. */
async function readUntil(
  pattern: RegExp,
  { words: [program = '', ...words], ...place }: { words: string[]; env: NodeJS.ProcessEnv; cwd: string },
): Promise<string> {
  const child = spawn(program, words, { ...place, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = once(child, 'close');
  let printed = '';
  const found = new Promise<string>((resolve) => {
    const read = (text: Buffer) => {
      printed += text;
      const [line] = pattern.exec(printed) ?? [];
      if (line !== undefined && printed.includes('\n', printed.indexOf(line))) resolve(line);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  });
  const answer = await Promise.race([found, ended.then(() => printed)]);
  if (child.exitCode === null && child.signalCode === null)
    process.kill(-(child.pid ?? Number.NaN), 'SIGKILL');
  await ended;
  return answer;
}
