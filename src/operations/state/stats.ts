import { countSearches } from '../../app/search/count-searches.ts';
import { flag } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { operation } from '../operation.ts';

export const stats = operation({
  summary: 'count indexed sessions, by repository and month',
  effect: 'reads',
  fields: { searches: flag({ about: 'also count your searches, and the forks after them' }), ...filters },
  async run(open, { searches, ...given }, caller) {
    await open.store();
    const counted = await open.reports.stats(await filterOf(open, given, caller));
    const { log } = open.searchAids;
    if (searches !== true || log === null) return counted;
    return { ...counted, searches: countSearches(log, (await open.fork()).journal) };
  },
  isEmpty: ({ sessions }) => sessions === 0,
});
