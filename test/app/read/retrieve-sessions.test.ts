import { describe, expect, it } from 'vitest';
import { retrieveSessions } from '../../../src/app/read/retrieve-sessions.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { estimateTokens } from '../../../src/domain/text/tokens.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  type ClaudeLine,
  copyLines,
  FORK_ID,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const OTHER_ID = 'cccc0000-0000-4000-8000-00000000000c';

const conversation = (about: string, turns: number) =>
  Array.from({ length: turns }, (_, at) => [
    line.user(`Question ${at} about ${about}`),
    line.assistant(`Answer ${at}: ${`${about} is part of it. `.repeat(20)}`),
  ]).flat();

describe('retrieveSessions', () => {
  it('prints what a fork shares with its parent only once', async () => {
    const origin = stampLines(conversation('walrus', 6));
    const own = stampLines([line.user('Another way'), line.assistant('Gladly, with quokkas.')], {
      sessionId: FORK_ID,
      after: origin.length,
    });
    const retrieve = await worldOf({
      [SESSION_ID]: origin,
      [FORK_ID]: [...copyLines(origin, 'branch', { sessionId: FORK_ID }), ...own],
    });
    const [parent, fork] = await retrieve([SESSION_ID, FORK_ID], { maxTokens: null });
    const all = `${parent?.markdown}${fork?.markdown}`;
    for (const once of ['USER: Question 0', 'USER: Question 5', 'Answer 5:', 'USER: Another way'])
      expect(all.split(once), once).toHaveLength(2);
    expect(fork?.repeated).toBeGreaterThan(3);
    expect(fork?.markdown).toContain('Gladly, with quokkas.');
  });

  it('keeps short passages that two sessions share by chance', async () => {
    const retrieve = await worldOf({
      [SESSION_ID]: stampLines([line.user('commit'), line.assistant('Committed the walrus.')]),
      [OTHER_ID]: stampLines([line.user('commit'), line.assistant('Committed the quokka.')], {
        sessionId: OTHER_ID,
      }),
    });
    const both = await retrieve([SESSION_ID, OTHER_ID], { maxTokens: null });
    expect(both.map(({ repeated }) => repeated)).toEqual([0, 0]);
    for (const { markdown } of both) expect(markdown).toContain('USER: commit');
  });

  it.each([400, 1000, 4000, 20_000])(
    'stays within %i tokens for all sessions together',
    async (maxTokens) => {
      const retrieve = await worldOf({
        [SESSION_ID]: stampLines(conversation('walrus', 40)),
        [OTHER_ID]: stampLines(conversation('quokka', 40), { sessionId: OTHER_ID }),
      });
      const both = await retrieve([SESSION_ID, OTHER_ID], { maxTokens });
      expect(estimateTokens(both.map(({ markdown }) => markdown).join('\n'))).toBeLessThanOrEqual(maxTokens);
    },
  );

  it('gives other sessions the budget that a short session does not need', async () => {
    const retrieve = await worldOf({
      [SESSION_ID]: stampLines(conversation('walrus', 1)),
      [OTHER_ID]: stampLines(conversation('quokka', 80), { sessionId: OTHER_ID }),
    });
    const [short, long] = await retrieve([SESSION_ID, OTHER_ID], { maxTokens: 8000 });
    expect(short?.passages).toHaveLength(short?.total ?? 0);
    expect(estimateTokens(long?.markdown ?? '')).toBeGreaterThan(5500);
  });
});

async function worldOf(sessions: Record<string, ClaudeLine[]>) {
  const world = createWorld();
  for (const [id, lines] of Object.entries(sessions)) writeClaude(world.claudeHome, id, lines);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  return async (ids: string[], { maxTokens }: { maxTokens: number | null }) =>
    retrieveSessions(
      { ...parts, store },
      { sessions: await Promise.all(ids.map((id) => findSession(store, id))), maxTokens },
    );
}
