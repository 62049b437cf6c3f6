import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { archiveTranscripts } from '../../src/app/archive/archive-transcripts.ts';
import { type Restored, restoreSession } from '../../src/app/archive/restore-session.ts';
import { archiveDependencies } from '../../src/compose/parts.ts';
import type { Agent } from '../../src/domain/agent/agents.ts';
import { sessionId, writeSession } from '../app/fork/claude-session.ts';
import { startAppServer } from '../support/agents/codex-app-server.ts';
import { environmentIn, findClaude, runLine } from '../support/agents/real-claude.ts';
import { startResponses } from '../support/agents/responses-double.ts';
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

  it('goes on in a restored thread that went back twice as in the lost one', async () => {
    const world = createWorld();
    const api = await startResponses('done');
    onTestFinished(() => api.close());
    const program = join(world.folder, 'codex-with-double');
    const words = [codex, ...api.options].map((word) => `'${word}'`).join(' ');
    writeFileSync(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    mkdirSync(world.codexHome, { recursive: true });
    const env = { HOME: world.folder, CODEX_HOME: world.codexHome, PATH: process.env.PATH ?? '' };
    /** Opens a thread. `say` returns the user's prompts that the model gets. */
    const open = async (method: string, params: object) => {
      const server = await startAppServer(program, env, world.folder);
      const { thread } = await server.request(method, params);
      const { id } = thread as { id: string };
      const say = async (text: string) => {
        const before = api.requests.length;
        await server.request('turn/start', { threadId: id, input: [{ type: 'text', text }] });
        await expect.poll(() => api.requests.length).toBeGreaterThan(before);
        await sleep(1000);
        const { input } = JSON.parse(api.requests[before] ?? '') as { input: Sent[] };
        const prompts = input.filter(({ role }) => role === 'user');
        // The first one is the environment.
        return prompts.slice(1).map(({ content }) => content?.at(-1)?.text);
      };
      const goBack = async () => {
        const { data } = await server.request('thread/turns/list', { threadId: id, sortDirection: 'asc' });
        const beforeTurnId = (data as { id: string }[]).at(-1)?.id;
        await server.request('thread/revert', { threadId: id, beforeTurnId });
      };
      return { id, say, goBack, close: server.close };
    };
    const lost = await open('thread/start', { cwd: world.folder });
    await lost.say('keep the lorikeet');
    for (const wrong of ['a wrong galah', 'a wrong corella']) {
      await lost.say(wrong);
      await lost.goBack();
    }
    expect(await lost.say('take the cockatoo')).toEqual(['keep the lorikeet', 'take the cockatoo']);
    lost.close();
    const parts = await openWorld(world);
    await indexWorld(parts);
    await archiveTranscripts(await archiveDependencies(parts), {});
    rmSync(world.codexHome, { recursive: true });
    mkdirSync(world.codexHome);
    const session = { session_id: lost.id, agent: 'codex' as const };
    const restored = await restoreSession({ ...parts, threads: {} }, { session, directory: world.folder });
    expect(restored?.files).toHaveLength(3);
    const back = await open('thread/resume', { threadId: lost.id });
    const sent = ['keep the lorikeet', 'take the cockatoo', 'and the budgerigar'];
    expect(await back.say('and the budgerigar')).toEqual(sent);
    back.close();
  });
});

interface Sent {
  role?: string;
  content?: { text?: string }[];
}

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
