import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sessionId, writeSession } from '../../app/fork/claude-session.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import {
  codexMeta,
  codexText,
  codexTurn,
  event,
  legacy,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const ASKS = ['repair the turbine', 'and grease it'];

/** Codex's fork of the import, which copies its turns. */
const FORK_ID = '019f2000-0000-7000-8000-00000000000c';

/** A Claude Code session, and the session that Codex makes from it. */
function importedWorld() {
  const world = createWorld();
  const source = writeSession({ home: world.claudeHome, id: sessionId(1), cwd: world.folder, asks: ASKS });
  const turns = ASKS.flatMap((ask, at) => [
    event('task_started', { turn_id: `external-import-turn-${at + 1}`, started_at: 1 }),
    ...legacy.user(ask),
    ...legacy.assistant('Done.'),
    event('task_complete', { turn_id: `external-import-turn-${at + 1}` }),
  ]);
  const path = writeCodex(world.codexHome, SESSION_ID, codexText([codexMeta(SESSION_ID), ...turns]));
  const records = [{ source_path: source, imported_thread_id: SESSION_ID, title: 'repair the turbine' }];
  mkdirSync(world.codexHome, { recursive: true });
  writeFileSync(join(world.codexHome, 'external_agent_session_imports.json'), JSON.stringify({ records }));
  return { world, path, turns };
}

async function found(world: ReturnType<typeof createWorld>, query: string): Promise<string[]> {
  const { results } = await runJson(world, ['search', query]);
  return (results as { session_id: string }[]).map(({ session_id }) => session_id);
}

it('finds a session that Codex imported only once, as the original', async () => {
  const { world } = importedWorld();
  await runCli(world, ['index', '--no-embed']);
  expect(await found(world, 'turbine grease')).toEqual([sessionId(1)]);
});

it('reads the continuation of an import as a fork of the original', async () => {
  const { world, path } = importedWorld();
  const more = [...codexTurn('019f1000-0001-7000-8000-00000000000b'), ...legacy.user('paint the rotor red')];
  appendFileSync(path, codexText(more));
  await runCli(world, ['index', '--no-embed']);
  expect(await found(world, 'paint the rotor')).toContain(SESSION_ID);
  const shown = await runJson(world, ['sessions', '--limit', '9']);
  const sessions = shown.sessions as { session_id: string }[];
  const fork = sessions.find(({ session_id }) => session_id === SESSION_ID);
  expect(fork).toMatchObject({ parent_session_id: sessionId(1), message_count: 1 });
});

it('reads a fork of the import as a fork of the original', async () => {
  const { world, turns } = importedWorld();
  const own = [...codexTurn('019f3000-0001-7000-8000-00000000000b'), ...legacy.user('paint the rotor red')];
  const meta = codexMeta(FORK_ID, { forked_from_id: SESSION_ID });
  writeCodex(world.codexHome, FORK_ID, codexText([meta, ...turns, ...own]));
  await runCli(world, ['index', '--no-embed']);
  const shown = await runJson(world, ['sessions', '--limit', '9']);
  const sessions = shown.sessions as { session_id: string }[];
  const fork = sessions.find(({ session_id }) => session_id === FORK_ID);
  expect(fork).toMatchObject({ parent_session_id: sessionId(1), message_count: 1 });
});
