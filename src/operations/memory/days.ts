import { listDays } from '../../app/memory/browse/list-days.ts';
import { count } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

const DAY_MS = 86_400_000;
const { since: _, until: __, ...withoutTimes } = filters;

export const days = operation({
  summary: 'list sessions, commits and decisions by day',
  effect: 'reads',
  fields: {
    days: count({ about: 'only of so many days until now', max: 3660 }),
    limit: count({
      about: 'number of sessions, of whole days; there may be more of the earliest day',
      max: 500,
      default: 40,
    }),
    ...withoutTimes,
  },
  async run(open, { days: number, limit, ...given }, caller) {
    const filter = await filterOf(open, given, caller);
    const since = number === undefined ? undefined : open.machine.now() - number * DAY_MS;
    const from = since === undefined ? undefined : new Date(since).toISOString();
    return listDays(await opened(open), { ...filter, since: from }, limit);
  },
  isEmpty: ({ days: found }) => found.length === 0,
});
