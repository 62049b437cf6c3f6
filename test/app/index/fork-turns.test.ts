import { describe, expect, it } from 'vitest';
import { viewSession } from '../../../src/app/read/view-session.ts';
import { locateSession } from '../../../src/app/sessions/locate-session.ts';
import { createWorld, indexWorld, openWorld, type World } from '../../support/machines/world.ts';
import {
  copyLines,
  line,
  SESSION_ID,
  stampLines,
  uuidOf,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  CHILD_ID,
  SESSION_ID as CODEX_ID,
  codexMeta,
  codexText,
  paginated,
  paginatedSession,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

describe('passages of a fork', () => {
  it('gives a fork’s passages the same turns as show, even if the parent queued a long prompt', async () => {
    const world = createWorld();
    const long = `Then write ${'down what was decided, '.repeat(120)}and stop.`;
    const parent = stampLines([
      line.user('Make the upload retry.'),
      line.queue('enqueue', long),
      line.assistant('It retries.'),
    ]);
    writeClaude(world.claudeHome, SESSION_ID, parent);
    const fork = uuidOf('fork');
    const own = [line.user(long), line.assistant('Written.'), line.user('Now make it resume.')];
    const after = { sessionId: fork, seed: fork, after: parent.length };
    const lines = [...copyLines(parent, 'branch', { sessionId: fork }), ...stampLines(own, after)];
    writeClaude(world.claudeHome, fork, lines);
    expect(await turnsOf(world, fork)).toEqual({
      shown: ['Make the upload retry.', long, 'Now make it resume.'],
      firstOwn: 1,
    });
  });

  it('counts a fork’s turns after those of a parent that it only references, as in Codex', async () => {
    const world = createWorld();
    const parent = paginatedSession();
    const last = parent.length;
    writeCodex(world.codexHome, CODEX_ID, codexText([...parent, ...paginated.user('Only the parent')], 0));
    const history_base = { thread_id: CODEX_ID, end_ordinal_exclusive: last };
    const meta = codexMeta(CHILD_ID, { forked_from_id: CODEX_ID, history_base });
    const own = [...paginated.user('Now make it resume.'), ...paginated.assistant('It does.')];
    writeCodex(world.codexHome, CHILD_ID, codexText([meta, ...own], last));
    expect(await turnsOf(world, CHILD_ID)).toEqual({
      shown: ['Please add a thing', 'Naïve — 日本語 🙂', 'Now make it resume.'],
      firstOwn: 2,
    });
  });
});

/** A session's prompts as shown, and the turn at which its own first passage begins. */
async function turnsOf(world: World, sessionId: string) {
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const [session] = await store.getSessions([sessionId]);
  if (session === undefined) throw new Error('the session is not indexed');
  const view = await viewSession({ ...parts, store }, session, locateSession(parts, session));
  const [first] = await store.getChunks(sessionId);
  return { shown: view.turns.map(({ user }) => user), firstOwn: first?.turn };
}
