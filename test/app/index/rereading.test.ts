import { expect, it } from 'vitest';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

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
