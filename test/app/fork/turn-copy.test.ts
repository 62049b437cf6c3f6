import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planFork } from '../../../src/app/fork/plan-fork.ts';
import { prepareFork } from '../../../src/app/fork/prepare-fork.ts';
import type { ReadyFork } from '../../../src/app/fork/ready-fork.ts';
import { runPlan } from '../../../src/app/fork/run-plan.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { composeFork } from '../../../src/compose/fork.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import {
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
} from '../../support/machines/world.ts';
import { sessionId, sessionLines, writeSession } from './claude-session.ts';

const PARENT = sessionId(1);

it.each([0, 90_000])(
  'does not index an unused fork at a turn whose first answer follows %i bytes',
  async (bytes) => {
    const { parts, fork, copyId } = await forkedAtTurn(bytes);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 0, empty: 1, failed: [] });
    expect(await storedSession(parts, copyId)).toBeNull();
    expect(await indexWorld(parts)).toMatchObject({ indexed: 0, empty: 0 });
    expect(fork.resultSessionId).toBe(copyId);
  },
);

it('does not index an unused fork at a turn if its session is neither here nor indexed', async () => {
  const { parts, path, copyId } = await forkedAtTurn();
  await (await parts.local()).deleteSessions([PARENT]);
  rmSync(path);
  await indexWorld(parts);
  expect(await storedSession(parts, copyId)).toBeNull();
});

it('does not index a fork at a turn that was opened and closed without a message', async () => {
  const { parts, copyPath, copyId } = await forkedAtTurn();
  appendFileSync(copyPath, `${JSON.stringify({ type: 'mode', mode: 'normal', sessionId: copyId })}\n`);
  await indexWorld(parts);
  expect(await storedSession(parts, copyId)).toBeNull();
});

it.each([
  [0, 'present'],
  [90_000, 'present'],
  [90_000, 'deleted'],
] as const)(
  'finds a used fork at a turn for its own text only: first answer after %i bytes, transcript of the parent %s',
  async (bytes, parent) => {
    const { parts, path, copyPath, copyId } = await forkedAtTurn(bytes);
    use(copyPath, copyId, bytes);
    if (parent === 'deleted') rmSync(path);
    await indexWorld(parts);
    const copy = await storedSession(parts, copyId);
    expect(copy?.session).toMatchObject({ parent: { session_id: PARENT }, message_count: 2 });
    expect(copy?.chunks.map(({ content }) => content).join('')).not.toContain('zeppelin');
    expect(await found(parts, 'zeppelin hangar')).toEqual([PARENT]);
    expect(await found(parts, 'submarine periscope')).toEqual([copyId]);
    expect((await found(parts, 'zeppelin submarine'))[0]).toBe(PARENT);
  },
);

it('reads a used copy as a fork of the chosen session, even if it was cut from copied lines', async () => {
  const { parts, copyPath, copyId } = await forkedAtTurn();
  use(copyPath, copyId, 0);
  await indexWorld(parts);
  const second = await forkAt(parts, copyId, 1);
  const secondId = second.resultSessionId ?? '';
  use(copyPath.replace(copyId, secondId), secondId, 0);
  await indexWorld(parts);
  expect((await storedSession(parts, secondId))?.session.parent).toEqual({ session_id: copyId });
});

it('records nothing about a fork whose agent cannot be started', async () => {
  const { parts } = await forkedAtTurn();
  let copyId = '';
  const inVain = forkAt(parts, PARENT, 1, async (fork) => {
    copyId = fork.resultSessionId ?? '';
    expect(parts.state().copyOf(copyId)).toMatchObject({ parentId: PARENT });
    throw new Error('cannot start');
  });
  await expect(inVain).rejects.toThrow('cannot start');
  expect(parts.state().copyOf(copyId)).toBeNull();
});

/** An indexed session that was forked at its first turn. The copy's first answer follows `bytes` of metadata. */
async function forkedAtTurn(bytes = 0) {
  const world = createWorld();
  const sketch = {
    home: world.claudeHome,
    id: PARENT,
    cwd: join(world.folder, 'project'),
    asks: ['zeppelin hangar doors', 'now paint the zeppelin'],
  };
  const path = writeSession(sketch);
  const [ask = '', ...rest] = sessionLines(sketch);
  writeFileSync(path, `${[ask, ...metadata(PARENT, bytes), ...rest].join('\n')}\n`);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const fork = await forkAt(parts, PARENT, 1);
  const copyId = fork.resultSessionId ?? '';
  const copyPath = path.replace(PARENT, copyId);
  expect(readFileSync(copyPath, 'utf8').length).toBeGreaterThan(bytes);
  return { parts, fork, path, copyId, copyPath };
}

async function forkAt(
  parts: Parts,
  id: string,
  turn: number,
  start = async (fork: ReadyFork) => fork,
): Promise<ReadyFork> {
  const forkParts = composeFork(parts, {}, (problem) => {
    throw problem;
  });
  onTestFinished(() => forkParts.close());
  const deps = await forkParts.dependencies();
  const session = await findSession(deps.store as Awaited<ReturnType<Parts['store']>>, id);
  const currentDirectory = session.working_directory;
  const { location } = await prepareFork(deps, { session, currentDirectory });
  const plan = await planFork(deps, {
    session,
    location,
    agent: session.agent,
    turn,
    query: null,
    rank: null,
    name: null,
    inject: false,
  });
  return runPlan(deps, plan, start);
}

/** Continues a copy like Claude Code. */
function use(path: string, id: string, bytes: number): void {
  const own = sessionLines({
    home: '',
    id,
    cwd: '/home/dev/widgets',
    asks: ['submarine periscope lens'],
    start: '2026-03-02T10:00:00.000Z',
  });
  appendFileSync(path, `${[...metadata(id, bytes), ...own].join('\n')}\n`);
}

function metadata(id: string, bytes: number): string[] {
  return bytes === 0
    ? []
    : [JSON.stringify({ type: 'file-history-snapshot', note: 'x'.repeat(bytes), sessionId: id })];
}

async function found(parts: Parts, query: string): Promise<string[]> {
  return (await searchWorld(parts, query)).results.map(({ session_id }) => session_id);
}
