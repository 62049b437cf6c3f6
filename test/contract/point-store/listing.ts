import { describe, expect, it } from 'vitest';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { changeOf, type Sample } from '../../support/transcripts/sample-sessions.ts';
import { embedAll, type MakePlace, useFilledStore, useStore } from './use-store.ts';

const at = (day: number, hour = 12) =>
  `2026-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;
const ended = (id: string, ended_at: string | null, record: Sample['record'] = {}): Sample => ({
  id,
  chunks: [`text of ${id}`],
  record: { ended_at, started_at: ended_at, ...record },
});

/** Every page of a list, as ids. */
export async function listAll(store: PointStore, filter: SessionFilter, limit: number): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page = await store.list(filter, limit, cursor ?? undefined);
    pages.push(page.sessions.map(({ session_id }) => session_id));
    cursor = page.cursor;
  } while (cursor !== null && pages.length < 100);
  return pages;
}

export function describeListing(make: MakePlace): void {
  describe('listing', () => {
    const store = useStore(make);

    it('lists the newest sessions first, those without a time last', async () => {
      await store().write(
        [ended('b', at(2)), ended('none', null), ended('c', at(3)), ended('a', at(1))].map((one) =>
          changeOf(one),
        ),
      );
      expect(await listAll(store(), {}, 10)).toEqual([['c', 'b', 'a', 'none']]);
    });

    it('pages without losing or repeating a session, even if times are equal or missing', async () => {
      const samples = Array.from({ length: 23 }, (_, index) =>
        ended(`session|${String(index).padStart(2, '0')}`, index % 5 === 4 ? null : at(1 + (index % 3))),
      );
      await store().write(samples.map((one) => changeOf(one)));
      const whole = (await listAll(store(), {}, 100)).flat();
      expect([...whole].sort()).toEqual(samples.map(({ id }) => id));
      for (const limit of [1, 4, 22, 23]) {
        const pages = await listAll(store(), {}, limit);
        expect(pages.flat()).toEqual(whole);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }
    });

    it('continues from a cursor after newer sessions have arrived', async () => {
      await store().write([1, 2, 3, 4].map((day) => changeOf(ended(`day${day}`, at(day)))));
      const first = await store().list({}, 2);
      await store().write([changeOf(ended('day9', at(9)))]);
      const second = await store().list({}, 2, first.cursor ?? '');
      expect(second.sessions.map(({ session_id }) => session_id)).toEqual(['day2', 'day1']);
      expect(second.cursor).toBeNull();
    });

    it.each(['', 'abc', '|', '12345', 'b9wZQ|'])('rejects %j as a cursor', async (cursor) => {
      await store().write([changeOf(ended('a', at(1)))]);
      await expect(store().list({}, 2, cursor)).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(`"${cursor}"`),
      });
    });

    it('returns no cursor on the last page', async () => {
      expect(await store().list({}, 5)).toEqual({ sessions: [], cursor: null });
      await store().write([changeOf(ended('a', at(1)))]);
      expect((await store().list({}, 1)).cursor).toBeNull();
    });
  });

  describe('counting', () => {
    const store = useFilledStore(make, [
      ended('a', at(1), {
        repo_name: 'engine',
        agent: 'claude',
        machine: 'atlas',
        branch: 'main',
        tags: ['x', 'y'],
      }),
      ended('b', at(2), { repo_name: 'engine', agent: 'codex', machine: 'atlas', branch: null, tags: ['x'] }),
      ended('c', '2026-04-02T10:00:00.000Z', {
        repo_name: 'gears',
        agent: 'claude',
        machine: 'borealis',
        branch: 'fix/it',
      }),
      ended('d', null, { repo_name: 'engine', agent: 'claude', machine: 'atlas', branch: 'main' }),
    ]);

    it('counts sessions, points and vectors', async () => {
      expect(await store().count()).toMatchObject({ sessions: 4, chunks: 4, intents: 0, vectors: 4 });
      expect(await store().count({ machine: 'borealis' })).toMatchObject({
        sessions: 1,
        chunks: 1,
        vectors: 1,
      });
      expect(await store().count({ machine: 'nowhere' })).toMatchObject({
        sessions: 0,
        chunks: 0,
        vectors: 0,
      });
      expect((await store().count()).bytes).toBeGreaterThan(0);
    });

    it('counts sessions per value, most frequent first, then by value; months in order', async () => {
      expect(await store().facet('repo_name')).toEqual([
        { value: 'engine', count: 3 },
        { value: 'gears', count: 1 },
      ]);
      expect(await store().facet('month')).toEqual([
        { value: '2026-04', count: 1 },
        { value: '2026-05', count: 2 },
      ]);
      expect(await store().facet('agent')).toEqual([
        { value: 'claude', count: 3 },
        { value: 'codex', count: 1 },
      ]);
      expect(await store().facet('machine')).toEqual([
        { value: 'atlas', count: 3 },
        { value: 'borealis', count: 1 },
      ]);
      expect(await store().facet('branch')).toEqual([
        { value: 'main', count: 2 },
        { value: 'fix/it', count: 1 },
      ]);
      expect(await store().facet('tag')).toEqual([
        { value: 'x', count: 2 },
        { value: 'y', count: 1 },
      ]);
    });

    it('counts sessions per value among those that match a filter', async () => {
      expect(await store().facet('tag', { agent: 'codex' })).toEqual([{ value: 'x', count: 1 }]);
      expect(await store().facet('tag', { tag: 'y' })).toEqual([
        { value: 'x', count: 1 },
        { value: 'y', count: 1 },
      ]);
      expect(await store().facet('month', { machine: 'nowhere' })).toEqual([]);
    });
  });

  describe('counting after a change', () => {
    const store = useStore(make);

    it('counts current values after a change', async () => {
      await store().write([changeOf(ended('a', at(1))), changeOf(ended('b', at(1)))]);
      await embedAll(store());
      await store().setTags('a', ['new']);
      expect(await store().facet('tag')).toEqual([{ value: 'new', count: 1 }]);
      await store().setTags('a', []);
      expect(await store().facet('tag')).toEqual([]);
      await store().deleteSessions(['b']);
      expect(await store().facet('agent')).toEqual([{ value: 'claude', count: 1 }]);
    });
  });
}
