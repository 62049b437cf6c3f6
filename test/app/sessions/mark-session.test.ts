import { describe, expect, it } from 'vitest';
import { noteSession, starSession } from '../../../src/app/sessions/mark-session.ts';
import { tagSession } from '../../../src/app/sessions/tag-session.ts';
import { NOTED, STARRED } from '../../../src/domain/tags/marks.ts';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

describe('stars and notes', () => {
  it('keeps stars and notes separate from tags, when tags change and when the session grows', async () => {
    const { parts, store, grow } = await marked();
    expect(await tagSession(store, SESSION_ID, { add: ['zoo'] })).toMatchObject({ tags: ['zoo'] });
    await grow();
    await tagSession(store, SESSION_ID, { remove: ['zoo'], add: ['sea'] });
    expect(await noteSession({ ...parts, store }, SESSION_ID, undefined)).toEqual({
      session_id: SESSION_ID,
      tags: ['sea'],
      starred: true,
      note: 'the walrus attempt',
    });
    const { sessions } = await store.list({ marks: [STARRED, NOTED] }, 5);
    expect(sessions).toHaveLength(1);
  });

  it('finds a session by the words of its note, if all of them occur', async () => {
    const { parts } = await marked();
    const [first] = (await searchWorld(parts, 'walrus attempts')).results;
    expect(first).toMatchObject({
      session_id: SESSION_ID,
      found_by: 'note: the walrus attempt',
      starred: true,
    });
    const { results } = await searchWorld(parts, 'walrus quokka');
    expect(results.filter(({ found_by }) => found_by !== undefined)).toEqual([]);
  });

  it('refuses tags that look like a star or a note', async () => {
    const { store } = await marked();
    for (const tag of [STARRED, NOTED, '*note: x'])
      await expect(tagSession(store, SESSION_ID, { add: [tag] })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('removes a star and a note, and replaces a note', async () => {
    const { parts, store } = await marked();
    expect(await noteSession({ ...parts, store }, SESSION_ID, 'another')).toMatchObject({ note: 'another' });
    expect(await noteSession({ ...parts, store }, SESSION_ID, '')).toMatchObject({ note: null });
    expect(await starSession(store, SESSION_ID, false)).toMatchObject({ starred: false });
    expect((await store.list({}, 1)).sessions[0]?.tags).toEqual([]);
  });

  it('redacts secrets in a note, puts it on one line, and refuses a long one', async () => {
    const { parts, store } = await marked();
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'.slice(0, 36)}`;
    const { note } = await noteSession({ ...parts, store }, SESSION_ID, `use ${secret}\nthen\u001b[2J go`);
    expect(note).not.toContain(secret);
    expect(note).toMatch(/^use \[REDACTED:[^\]]+\] then go$/);
    await expect(noteSession({ ...parts, store }, SESSION_ID, 'x'.repeat(301))).rejects.toMatchObject({
      code: 'USAGE',
    });
  });
});

async function marked() {
  const world = createWorld();
  const lines = [line.user('Add a queue'), line.assistant('Added.')];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  await starSession(store, SESSION_ID, true);
  await noteSession({ ...parts, store }, SESSION_ID, 'the walrus attempt');
  const grow = async () => {
    writeClaude(
      world.claudeHome,
      SESSION_ID,
      stampLines([...lines, line.user('Go on'), line.assistant('Done.')]),
    );
    await indexWorld(parts);
  };
  return { parts, store, grow };
}
