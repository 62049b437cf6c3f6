import { filterOf, filters } from '../filters.ts';
import { operation } from '../operation.ts';

export const stats = operation({
  summary: 'count indexed sessions, by repository and month',
  effect: 'reads',
  fields: filters,
  async run(open, given, caller) {
    await open.store();
    return open.reports.stats(await filterOf(open, given, caller));
  },
  isEmpty: ({ sessions }) => sessions === 0,
});
