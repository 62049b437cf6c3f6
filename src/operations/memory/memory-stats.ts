import { memoryStats as count } from '../../app/memory/memory-stats.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const memoryStats = operation({
  summary: 'count findings and topics',
  effect: 'reads',
  fields: filters,
  async run(open, given, caller) {
    return count(await opened(open), await filterOf(open, given, caller));
  },
  isEmpty: ({ sessions }) => sessions === 0,
});
