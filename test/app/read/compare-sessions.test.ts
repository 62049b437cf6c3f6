import { expect, it } from 'vitest';
import { compareSessions } from '../../../src/app/read/compare-sessions.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { renderComparison } from '../../../src/cli/read/render-comparison.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  bashPair,
  COMMIT_OUTPUT,
  copyLines,
  FORK_ID,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const edit = (path: string) => toolPair('Edit', { file_path: `/home/dev/widgets/${path}` }, 'ok');

it('compares what a session and its fork asked, changed and committed after what they have in common', async () => {
  const world = createWorld();
  const common = [line.user('Add a walrus'), ...edit('src/walrus.ts'), line.assistant('Added.')];
  const rest = [line.user('Feed the walrus'), ...edit('src/fish.ts'), line.assistant('Fed.')];
  const origin = stampLines([...common, ...rest]);
  writeClaude(world.claudeHome, SESSION_ID, origin);
  const begun = origin.slice(0, origin.length - rest.length);
  const own = stampLines(
    [
      line.user('Let it swim'),
      ...edit('src/fish.ts'),
      ...bashPair('git commit -am "Swim"', COMMIT_OUTPUT),
      line.assistant('It swims.'),
    ],
    { sessionId: FORK_ID, after: begun.length },
  );
  writeClaude(world.claudeHome, FORK_ID, [...copyLines(begun, 'branch', { sessionId: FORK_ID }), ...own]);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const comparison = await compareSessions(
    { ...parts, store },
    await findSession(store, SESSION_ID),
    await findSession(store, FORK_ID),
  );
  expect(comparison).toMatchObject({
    common_turns: 1,
    asked: { first: [{ turn: 2, text: 'Feed the walrus' }], second: [{ turn: 2, text: 'Let it swim' }] },
    files: { both: ['src/fish.ts'], first: ['src/walrus.ts'], second: [] },
    commits: { both: [], first: [], second: [{ hash: 'abc1234' }] },
  });
  const look = { columns: 40, color: 0, unicode: false } as const;
  const text = renderComparison(comparison, look, { nowMs: Date.parse('2026-11-01') });
  expect(text).toContain('B is a fork of A: 1 turn in common');
  for (const printed of text.split('\n')) expect(printed.length).toBeLessThanOrEqual(40);
});
