import { describe, expect, it } from 'vitest';
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

    it('see one store', async () => {
      expect((await open(0).info()).storeId).toBe((await open(1).info()).storeId);
      await open(0).write([changeOf({ id: 's', chunks: ['shared words'], intents: ['shared'] })]);
      expect((await open(1).getChunks('s')).map(({ content }) => content)).toEqual(['shared words']);
      await open(1).setTags('s', ['seen']);
      expect((await open(0).getSession('s'))?.tags).toEqual(['seen']);
      expect(await open(1).deleteSessions(['s'])).toBe(1);
      expect(await open(0).getSession('s')).toBeNull();
    });

    it('see vectors that the other stored, the first ones too', async () => {
      const query = { tokens: null, vector: vectorOf('x'), filter: {}, limits: LIMITS };
      await open(0).write([changeOf({ id: 's', chunks: ['text'], intents: ['ask'] })]);
      expect((await open(1).search(query)).chunksByVector).toEqual([]);
      await embedAll(open(0));
      expect((await open(1).search(query)).chunksByVector).toHaveLength(1);
      expect((await open(1).info()).model).not.toBeNull();
      await open(1).write([changeOf({ id: 't', chunks: ['more'] })]);
      await embedAll(open(1));
      expect((await open(0).search(query)).chunksByVector).toHaveLength(2);
      await open(1).deleteSessions(['s']);
      expect((await open(0).search(query)).chunksByVector).toHaveLength(1);
    });

    it('write different sessions at the same time', async () => {
      const batch = (prefix: string) =>
        Array.from({ length: 20 }, (_, index) =>
          changeOf({ id: `${prefix}${index}`, chunks: [`${prefix} text`, 'more'] }),
        );
      const results = await Promise.all([open(0).write(batch('a')), open(1).write(batch('b'))]);
      expect(results).toEqual([{ conflicts: [] }, { conflicts: [] }]);
      expect(await open(0).count()).toMatchObject({ sessions: 40, chunks: 80 });
      const lists = await open(1).search({
        tokens: tokensOf('text'),
        vector: null,
        filter: {},
        limits: { ...LIMITS, sessions: 50 },
      });
      expect(lists.sessionsByWords).toHaveLength(40);
    });

    it('let one of two changes of the same session win', async () => {
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
      expect(await open(0).getSession('s')).toEqual(sessionPayload(winner));
    });

    it('let one of two first writers of a session win', async () => {
      const left: Sample = { id: 's', chunks: ['left'] };
      const right: Sample = { id: 's', chunks: ['right'] };
      const results = await Promise.all([open(0).write([changeOf(left)]), open(1).write([changeOf(right)])]);
      expect(results.flatMap(({ conflicts }) => conflicts)).toEqual(['s']);
      const winner = results[0]?.conflicts.length === 0 ? left : right;
      expect(await open(1).getSession('s')).toEqual(sessionPayload(winner));
    });

    it('read while the other writes', async () => {
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
