import { timelineByDay } from '../../app/memory/browse/timeline-by-day.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { count } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

const DAY_MS = 86_400_000;
const { since: _, until: __, ...withoutTimes } = filters;

const STANDARD_DAYS = 30;

export const days = operation({
  summary: 'list sessions, commits and decisions by day',
  effect: 'reads',
  fields: {
    days: count({ about: 'number of days until now (default: 30, until the newest session)', max: 3660 }),
    ...withoutTimes,
  },
  async run(open, { days: number, ...given }, caller) {
    const filter = await filterOf(open, given, caller);
    const parts = await opened(open);
    const now = open.machine.now();
    const end = number === undefined ? await newestEnd(parts, filter, now) : now;
    const since = new Date(end - (number ?? STANDARD_DAYS) * DAY_MS).toISOString();
    return timelineByDay(parts, { ...filter, since });
  },
  isEmpty: ({ days: found }) => found.length === 0,
});

/** So that after a pause the days before it are shown. */
async function newestEnd({ store }: { store: PointStore }, filter: SessionFilter, now: number) {
  const { sessions } = await store.list(filter, 1);
  const end = Date.parse(sessions[0]?.ended_at ?? '');
  return Number.isNaN(end) ? now : Math.min(end, now);
}
