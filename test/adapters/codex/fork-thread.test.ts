import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCodexThreads } from '../../../src/adapters/codex/server/codex-threads.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { userPrompts } from '../../../src/app/sessions/read-conversation.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  codexMeta,
  codexText,
  codexTurn,
  event,
  legacy,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const REAL = process.env.SMART_FORK_TEST_CODEX ?? '';

/** A program that answers like the app server for a session with these prompts in these turns, and records the requests. */
const NO_IMPORTS = { folder: '.claude/projects', userHome: '/none', write: () => undefined };

function fakeCodex(turns: Record<string, string[]>, fault = '') {
  const folder = tempFolder('codex');
  const program = join(folder, 'codex');
  const data = Object.entries(turns).map(([id, prompts]) => ({
    id,
    status: 'completed',
    items: prompts.map((text) => ({ type: 'userMessage', content: [{ type: 'text', text }] })),
  }));
  writeFileSync(
    program,
    `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const data = ${JSON.stringify(data)};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(${JSON.stringify(join(folder, 'asked'))}, line + '\\n');
  ${fault}
  const at = Number(params?.cursor ?? 0);
  const results = {
    initialize: {},
    'thread/turns/list': { data: data.slice(at, at + 2), nextCursor: at + 2 < data.length ? String(at + 2) : null },
    'thread/fork': { thread: { id: 'new', path: '/new.jsonl' } },
  };
  console.log('not a message');
  console.log(JSON.stringify({ method: 'configWarning', params: {} }));
  if (id !== undefined) console.log(JSON.stringify({ id, result: results[method] }));
});
`,
  );
  chmodSync(program, 0o755);
  const threads = createCodexThreads({ program, env: {} }, [folder], NO_IMPORTS);
  return {
    fork: (prompts: string[], turn: number) =>
      threads.forkAt({ ...requestIn(folder), prompts, turn, end: 0 }),
    asked: () =>
      readFileSync(join(folder, 'asked'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

function requestIn(folder: string) {
  const path = join(folder, 'sessions', 'x.jsonl');
  const transcript = { agent: 'codex' as const, path, sessionId: 'old', size: 1, mtimeMs: 0, inode: 0 };
  return { transcript, workingDirectory: '/work' };
}

describe.skipIf(process.platform === 'win32')('forking a Codex session at a turn', () => {
  it('asks the app server to fork through the turn that contains the prompt', async () => {
    const codex = fakeCodex({ t1: ['one'], t2: ['two'], t3: ['three'] });
    expect(await codex.fork(['one', 'two', 'three'], 2)).toEqual({
      sessionId: 'new',
      path: '/new.jsonl',
      turn: 2,
    });
    const { method, params } = codex.asked().at(-1);
    expect({ method, params }).toEqual({
      method: 'thread/fork',
      params: { threadId: 'old', lastTurnId: 't2', excludeTurns: true, cwd: '/work' },
    });
  });

  it('returns the last prompt of a turn that contains several', async () => {
    const codex = fakeCodex({ t1: ['one', 'and this', 'and that'], t2: ['two'] });
    expect(await codex.fork(['one', 'and this', 'and that', 'two'], 1)).toMatchObject({ turn: 3 });
  });

  it('finds the prompt by its text if Codex counts different prompts', async () => {
    const codex = fakeCodex({ t0: ['<notice>'], t1: ['go on'], t2: ['two'], t3: ['go  on\n'], t4: ['end'] });
    await codex.fork(['go on', 'two', 'go on'], 3);
    expect(codex.asked().at(-1).params.lastTurnId).toBe('t3');
    await expect(codex.fork(['something else'], 1)).rejects.toThrow(/Codex counts 5 prompts/);
  });

  it('reports the failure if Codex is missing, refuses, or exits', async () => {
    const missing = createCodexThreads({ program: null, env: {} }, ['/home'], NO_IMPORTS);
    await expect(missing.forkAt({ ...requestIn('/home'), prompts: ['a'], turn: 1, end: 0 })).rejects.toThrow(
      /not on PATH/,
    );
    const refusing = fakeCodex(
      { t1: ['a'] },
      "if (method === 'thread/fork') { console.log(JSON.stringify({ id, error: { code: -1, message: 'no such turn' } })); return; }",
    );
    await expect(refusing.fork(['a'], 1)).rejects.toThrow(/no such turn/);
    const ending = fakeCodex({ t1: ['a'] }, "if (method === 'thread/fork') process.exit(1);");
    await expect(ending.fork(['a'], 1)).rejects.toThrow(/its app server exited/);
  });

  it.each([
    ['thread/turns/list', '{ data: [{ id: 1 }] }', 'thread/turns/list has another shape, at data.0.id'],
    ['thread/fork', 'null', 'thread/fork has another shape'],
    ['thread/fork', "{ thread: { id: 'x' } }", 'thread/fork has another shape, at thread.path'],
  ])('says what is wrong with the answer to %s of another version: %s', async (method, result, words) => {
    const other = fakeCodex(
      { t1: ['a'] },
      `if (method === '${method}') return console.log(JSON.stringify({ id, result: ${result} }));`,
    );
    const message = `codex cannot make this fork: its answer to ${words}`;
    await expect(other.fork(['a'], 1)).rejects.toMatchObject({ code: 'USAGE', message });
  });

  it.skipIf(REAL === '')(
    'makes a session of its own with the turns up to the given one in real Codex',
    { timeout: 120_000 },
    async () => {
      const home = tempFolder('codex-home');
      const prompts = ['add a retry', 'and a test', 'and docs'];
      const lines = prompts.flatMap((prompt, at) => [
        ...codexTurn(`019f1000-000${at + 1}-7000-8000-00000000000a`),
        ...legacy.user(prompt),
        ...legacy.assistant('Done.'),
        event('task_complete', {
          turn_id: `019f1000-000${at + 1}-7000-8000-00000000000a`,
          last_agent_message: 'Done.',
        }),
      ]);
      const path = writeCodex(home, SESSION_ID, codexText([codexMeta(SESSION_ID), ...lines]));
      const source = createCodexSource({ homes: [home] });
      const transcript = source.inspect(path);
      if (transcript === null) throw new Error(`${path} is no transcript`);
      expect(userPrompts(source, transcript)).toEqual(prompts);
      const threads = createCodexThreads(
        { program: REAL, env: { ...process.env, HOME: home } },
        [home],
        NO_IMPORTS,
      );
      const made = await threads.forkAt({ transcript, prompts, turn: 2, end: 0, workingDirectory: home });
      const fork = source.inspect(made.path);
      if (fork === null) throw new Error(`${made.path} is no transcript`);
      expect(userPrompts(source, fork)).toEqual(['add a retry', 'and a test']);
      expect(source.findInheritance(fork, [])?.parentId).toBe(SESSION_ID);
    },
  );
});
