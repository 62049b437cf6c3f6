import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import {
  SESSION_ID as CODEX_ID,
  codexText,
  legacySession,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

it('reads every transcript again after an update of the readers, and writes only differences', async () => {
  const world = createWorld();
  const lines = [line.user('Make the websocket reconnect'), line.assistant('It retries with jitter.')];
  const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const parts = await openWorld(world);
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
  expect(await indexWorld(parts)).toMatchObject({ indexed: 0, unchanged: 1 });
  const cursor = parts.state().get(path);
  if (cursor === null) throw new Error('the transcript has no cursor');
  // Before the readers had a version, the key began with the chunker's.
  parts.state().put([{ ...cursor, chunking: cursor.chunking.replace(/^\d+ /, '') }]);
  // Only the session's record, and none of its passages.
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1, points: 1 });
  expect(await indexWorld(parts)).toMatchObject({ indexed: 0, unchanged: 1 });
});

it('removes a session that was indexed under the name of a copy', async () => {
  const world = createWorld();
  const lines = [line.user('Make the websocket reconnect'), line.assistant('It retries with jitter.')];
  const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const copy = path.replace('.jsonl', '.backup.jsonl');
  copyFileSync(path, copy);
  const parts = await openWorld(world);
  const [file] = (await parts.indexing()).sources
    .flatMap((source) => source.find())
    .filter((one) => one.path === path);
  if (file === undefined) throw new Error('the transcript is not found');
  // As versions did that took the name for the id.
  const old = `${SESSION_ID}.backup`;
  await indexWorld(parts, { files: [{ ...file, path: copy, sessionId: old }] });
  const stored = async () => {
    const store = await parts.store();
    return (await store.getSessions([SESSION_ID, old])).map(({ session_id }) => session_id);
  };
  expect(await stored()).toEqual([old]);
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1, duplicates: 1 });
  expect(await stored()).toEqual([SESSION_ID]);
  expect(await indexWorld(parts)).toMatchObject({ indexed: 0, unchanged: 1 });
  // If only the copy is left, it is the session.
  rmSync(path);
  parts.state().forgetSessions([SESSION_ID]);
  await indexWorld(parts, { files: [{ ...file, path: copy, sessionId: old }] });
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
  expect(await stored()).toEqual([SESSION_ID]);
});

it('reads a session again that Codex names anew, and keeps only a mark of the name, which may hold a secret', async () => {
  const world = createWorld();
  const path = writeCodex(world.codexHome, CODEX_ID, codexText(legacySession()));
  const nameIt = (thread_name: string) =>
    writeFileSync(
      join(world.codexHome, 'session_index.jsonl'),
      `${JSON.stringify({ id: CODEX_ID, thread_name, updated_at: '' })}\n`,
    );
  nameIt('Rotate the deploy token');
  const parts = await openWorld(world);
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
  expect(await indexWorld(parts)).toMatchObject({ unchanged: 1 });
  expect(parts.state().get(path)?.name).toMatch(/^[\da-f]{16}$/);
  nameIt('Rotate the token');
  expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
});
