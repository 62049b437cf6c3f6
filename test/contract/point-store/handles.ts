import { describe, expect, it } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  type Sample,
  sessionPayload,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useHandles } from './use-store.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };

export function describeHandles(make: MakePlace): void {
  describe('two handles at once', () => {
    const open = useHandles(make, 2);

    it('shares one store between two handles', async () => {
      expect((await open(0).info()).storeId).toBe((await open(1).info()).storeId);
      await open(0).write([changeOf({ id: 's', chunks: ['shared words'], intents: ['shared'] })]);
      expect((await open(1).getChunks('s')).map(({ content }) => content)).toEqual(['shared words']);
      await open(1).setTags('s', ['seen']);
      expect((await getSession(open(0), 's'))?.tags).toEqual(['seen']);
      expect(await open(1).deleteSessions(['s'])).toBe(1);
      expect(await getSession(open(0), 's')).toBeNull();
    });

    it('shows vectors to the other handle, including the first ones', async () => {
      const query = { tokens: null, vector: vectorOf('x'), filter: {}, limits: LIMITS };
      await open(0).write([changeOf({ id: 's', chunks: ['text'], intents: ['ask'] })]);
      expect((await searchLists(open(1), query)).chunksByVector).toEqual([]);
      await embedAll(open(0));
      expect((await searchLists(open(1), query)).chunksByVector).toHaveLength(1);
      expect((await open(1).info()).model).not.toBeNull();
      await open(1).write([changeOf({ id: 't', chunks: ['more'] })]);
      await embedAll(open(1));
      expect((await searchLists(open(0), query)).chunksByVector).toHaveLength(2);
      await open(1).deleteSessions(['s']);
      expect((await searchLists(open(0), query)).chunksByVector).toHaveLength(1);
    });

    it('writes different sessions at the same time', async () => {
      const batch = (prefix: string) =>
        Array.from({ length: 20 }, (_, index) =>
          changeOf({ id: `${prefix}${index}`, chunks: [`${prefix} text`, 'more'] }),
        );
      const results = await Promise.all([open(0).write(batch('a')), open(1).write(batch('b'))]);
      expect(results).toEqual([{ conflicts: [] }, { conflicts: [] }]);
      expect(await open(0).count()).toMatchObject({ sessions: 40, chunks: 80 });
      const lists = await searchLists(open(1), {
        tokens: tokensOf('text'),
        vector: null,
        filter: {},
        limits: { ...LIMITS, sessions: 50 },
      });
      expect(lists.sessionsByWords).toHaveLength(40);
    });

    it('applies one of two concurrent changes to a session', async () => {
      const before: Sample = { id: 's', chunks: ['start'] };
      await open(0).write([changeOf(before)]);
      const left: Sample = { id: 's', chunks: ['start', 'left'], record: { title: 'left' } };
      const right: Sample = { id: 's', chunks: ['start', 'right'], record: { title: 'right' } };
      const results = await Promise.all([
        open(0).write([growth(before, left)]),
        open(1).write([growth(before, right)]),
      ]);
      expect(results.flatMap(({ conflicts }) => conflicts)).toEqual(['s']);
      const winner = results[0]?.conflicts.length === 0 ? left : right;
      expect(await getSession(open(0), 's')).toEqual(sessionPayload(winner));
    });

    it('applies one of two concurrent first writes of a session', async () => {
      const left: Sample = { id: 's', chunks: ['left'] };
      const right: Sample = { id: 's', chunks: ['right'] };
      const results = await Promise.all([open(0).write([changeOf(left)]), open(1).write([changeOf(right)])]);
      expect(results.flatMap(({ conflicts }) => conflicts)).toEqual(['s']);
      const winner = results[0]?.conflicts.length === 0 ? left : right;
      expect(await getSession(open(1), 's')).toEqual(sessionPayload(winner));
    });

    it('reads while the other handle writes', async () => {
      let writing = true;
      const write = async () => {
        for (let index = 0; index < 10; index += 1)
          await open(0).write([changeOf({ id: `w${index}`, chunks: ['pouring', 'rain'] })]);
        writing = false;
      };
      const read = async () => {
        while (writing) {
          for (const { session_id, chunk_count } of (await open(1).list({}, 50)).sessions) {
            expect(await open(1).getChunks(session_id)).toHaveLength(chunk_count);
          }
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([write(), read()]);
      expect(await open(1).count()).toMatchObject({ sessions: 10, chunks: 20 });
    });
  });
}
