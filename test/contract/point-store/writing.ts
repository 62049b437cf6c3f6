import { describe, expect, it } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { countWaiting, searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  type Sample,
  sessionPayload,
  tokensOf,
} from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useStore } from './use-store.ts';

const ONE: Sample = { id: 'one', chunks: ['alpha engine', 'beta valve'], intents: ['fix the engine'] };
const GROWN: Sample = {
  ...ONE,
  chunks: ['alpha engine', 'beta valve and gamma piston', 'delta'],
  record: { ended_at: '2026-05-02T10:00:00.000Z', message_count: 4 },
};

export function describeWriting(make: MakePlace): void {
  describe('writing', () => {
    const store = useStore(make);

    it('writes a session with its points', async () => {
      expect(await store().write([changeOf(ONE)])).toEqual({ conflicts: [] });
      expect(await getSession(store(), 'one')).toEqual(sessionPayload(ONE));
      expect((await store().getChunks('one')).map(({ content }) => content)).toEqual(ONE.chunks);
      expect(await store().count()).toMatchObject({ sessions: 1, chunks: 2, intents: 1, vectors: 0 });
    });

    it('accepts an empty write', async () => {
      expect(await store().write([])).toEqual({ conflicts: [] });
      expect(await store().count()).toMatchObject({ sessions: 0, chunks: 0, intents: 0, vectors: 0 });
    });

    it('writes a session without points', async () => {
      await store().write([changeOf({ id: 'bare' })]);
      expect(await getSession(store(), 'bare')).not.toBeNull();
      expect(await store().getHashes('bare')).toEqual(new Map());
    });

    it('writes changes and leaves the rest, including vectors', async () => {
      await store().write([changeOf(ONE)]);
      await embedAll(store());
      expect(await store().write([growth(ONE, GROWN)])).toEqual({ conflicts: [] });
      expect((await store().getChunks('one')).map(({ content }) => content)).toEqual(GROWN.chunks);
      expect(await getSession(store(), 'one')).toEqual(sessionPayload(GROWN));
      const points = await store().getPoints([pointId('one', 'chunk', 0), pointId('one', 'chunk', 1)], {
        hasVector: true,
      });
      expect(new Map(points.map(({ id, hasVector }) => [id, hasVector]))).toEqual(
        new Map([
          [pointId('one', 'chunk', 0), true],
          [pointId('one', 'chunk', 1), false],
        ]),
      );
    });

    it('keeps the vector of a point rewritten with the same text', async () => {
      await store().write([changeOf(ONE)]);
      await embedAll(store());
      const moved: Sample = { ...ONE, record: { repo_name: 'moved', repo_key: null } };
      const change = changeOf(moved, sessionPayload(ONE).content_hash);
      const [intent, first, second] = change.upserts;
      const upserts = [intent, first, second && { ...second, tokens: 'other words ' }].filter(
        (one) => one !== undefined,
      );
      expect(await store().write([{ ...change, upserts }])).toEqual({ conflicts: [] });
      const points = await store().getPoints(
        upserts.map(({ point }) => point.id),
        { hasVector: true },
      );
      expect(points.map(({ hasVector, payload }) => [hasVector, payload.repo_name])).toEqual(
        Array(3).fill([true, 'moved']),
      );
      expect(await countWaiting(store())).toEqual({ intents: 0, chunks: 0 });
      const find = async (word: string) =>
        (
          await searchLists(store(), {
            tokens: [word],
            vector: null,
            filter: { repo: { repo_name: 'moved' } },
            limits: { sessions: 5, chunks: 5, intents: 5 },
          })
        ).chunksByWords?.map(({ point_id }) => point_id);
      expect(await find('other')).toEqual([pointId('one', 'chunk', 1)]);
      expect(await find('valve')).toEqual([]);
      expect(await find('alpha')).toEqual([pointId('one', 'chunk', 0)]);
    });

    it('deletes points that no longer exist', async () => {
      await store().write([changeOf(GROWN)]);
      await embedAll(store());
      const change = growth(GROWN, ONE);
      expect(change.deletes).toEqual([pointId('one', 'chunk', 2)]);
      await store().write([{ ...change, tokens: changeOf(ONE).tokens }]);
      expect(await store().getChunks('one')).toHaveLength(2);
      expect(await store().getPoints([pointId('one', 'chunk', 2)])).toEqual([]);
      const lists = await searchLists(store(), {
        tokens: ['delta'],
        vector: null,
        filter: {},
        limits: { sessions: 5, chunks: 5, intents: 5 },
      });
      expect(lists.chunksByWords).toEqual([]);
      expect(lists.sessionsByWords).toEqual([]);
    });

    it('ignores deletes of absent points', async () => {
      await store().write([{ ...changeOf(ONE), deletes: [pointId('one', 'chunk', 9)] }]);
      expect(await store().getChunks('one')).toHaveLength(2);
    });

    it('replaces a session that is written from scratch', async () => {
      const first = changeOf(ONE);
      await store().write([first]);
      const again = changeOf(
        { ...ONE, chunks: ['epsilon crank', 'beta valve'] },
        first.session.payload.content_hash,
      );
      expect(await store().write([again])).toEqual({ conflicts: [] });
      const find = async (word: string) =>
        (
          await searchLists(store(), {
            tokens: tokensOf(word),
            vector: null,
            filter: {},
            limits: { sessions: 5, chunks: 5, intents: 5 },
          })
        ).sessionsByWords?.length;
      expect(await find('alpha')).toBe(0);
      expect(await find('epsilon')).toBe(1);
      expect(await store().count()).toMatchObject({ sessions: 1, chunks: 2, intents: 1 });
    });

    describeConflicts(store);
    describeDeleting(store);
  });
}

function describeConflicts(store: ReturnType<typeof useStore>): void {
  it('reports a conflict for a session in another state, and writes the others', async () => {
    await store().write([changeOf(ONE)]);
    const stale = changeOf(GROWN, 'sha256:of-some-other-state');
    expect(await store().write([stale, changeOf({ id: 'two', chunks: ['zeta'] })])).toEqual({
      conflicts: ['one'],
    });
    expect(await getSession(store(), 'one')).toEqual(sessionPayload(ONE));
    expect((await store().getChunks('one')).map(({ content }) => content)).toEqual(ONE.chunks);
    expect(await getSession(store(), 'two')).not.toBeNull();
  });

  it('reports a conflict for a session expected to be new', async () => {
    await store().write([changeOf(ONE)]);
    expect(await store().write([changeOf(GROWN, null)])).toEqual({ conflicts: ['one'] });
    expect(await getSession(store(), 'one')).toEqual(sessionPayload(ONE));
  });

  it('reports a conflict for a session expected but absent', async () => {
    expect(await store().write([changeOf(ONE, 'sha256:gone')])).toEqual({ conflicts: ['one'] });
    expect(await getSession(store(), 'one')).toBeNull();
    expect(await store().count()).toMatchObject({ sessions: 0, chunks: 0 });
  });

  it('applies two changes of one session in order', async () => {
    expect(await store().write([changeOf(ONE), growth(ONE, GROWN)])).toEqual({ conflicts: [] });
    expect((await store().getChunks('one')).map(({ content }) => content)).toEqual(GROWN.chunks);
    expect(await getSession(store(), 'one')).toEqual(sessionPayload(GROWN));
  });
}

function describeDeleting(store: ReturnType<typeof useStore>): void {
  it('deletes sessions with all their points, and returns how many there were', async () => {
    await store().write([changeOf(ONE), changeOf({ id: 'two', chunks: ['alpha'] })]);
    await embedAll(store());
    expect(await store().deleteSessions(['one', 'never', 'one'])).toBe(1);
    expect(await getSession(store(), 'one')).toBeNull();
    expect(await store().getHashes('one')).toEqual(new Map());
    expect(await store().count()).toMatchObject({ sessions: 1, chunks: 1, intents: 0, vectors: 1 });
    const lists = await searchLists(store(), {
      tokens: tokensOf('alpha'),
      vector: null,
      filter: {},
      limits: { sessions: 5, chunks: 5, intents: 5 },
    });
    expect(lists.sessionsByWords?.map(({ session_id }) => session_id)).toEqual(['two']);
    expect(await store().deleteSessions([])).toBe(0);
  });

  it('accepts a deleted session as new', async () => {
    await store().write([changeOf(GROWN)]);
    await store().deleteSessions(['one']);
    expect(await store().write([changeOf(ONE)])).toEqual({ conflicts: [] });
    expect(await store().getChunks('one')).toHaveLength(2);
  });

  it('keeps tags across writes, and changes no content hash with a tag', async () => {
    await store().write([changeOf(ONE)]);
    await store().setTags('one', ['release', 'it’s "quoted"']);
    await store().setTags('never', ['x']);
    expect(await getSession(store(), 'one')).toEqual({
      ...sessionPayload(ONE),
      tags: ['release', 'it’s "quoted"'],
    });
    expect(await getSession(store(), 'never')).toBeNull();
    expect(await store().write([growth(ONE, GROWN)])).toEqual({ conflicts: [] });
    expect(await getSession(store(), 'one')).toMatchObject({
      message_count: 4,
      tags: ['release', 'it’s "quoted"'],
    });
    expect(await store().facet('tag')).toHaveLength(2);
    const lists = await searchLists(store(), {
      tokens: tokensOf('engine piston delta'),
      vector: null,
      filter: { tag: 'release' },
      limits: { sessions: 5, chunks: 5, intents: 5 },
    });
    expect(lists.chunksByWords).toHaveLength(3);
  });
}
