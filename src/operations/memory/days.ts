import { timelineByDay } from '../../app/memory/browse/timeline-by-day.ts';
import { count } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

const DAY_MS = 86_400_000;
const { since: _, until: __, ...withoutTimes } = filters;

export const days = operation({
  summary: 'list sessions, commits and decisions by day',
  effect: 'reads',
  fields: { days: count({ about: 'number of days', max: 3660, default: 30 }), ...withoutTimes },
  async run(open, { days: number, ...given }, caller) {
    const filter = await filterOf(open, given, caller);
    const since = new Date(open.machine.now() - number * DAY_MS).toISOString();
    return timelineByDay(await opened(open), { ...filter, since });
  },
  isEmpty: ({ days: found }) => found.length === 0,
});
