import type { ServerState, SharedArchiveSize } from '../../domain/server-state.ts';
import type { StatsReport } from '../../domain/summary.ts';
import { filterOf, filters } from '../filters.ts';
import { operation } from '../operation.ts';

export interface Stats extends StatsReport {
  server: (ServerState & { archive: SharedArchiveSize | null }) | null;
}

export const stats = operation({
  name: 'stats',
  summary: 'count indexed sessions, by repository and month',
  effect: 'reads',
  fields: filters,
  async run(open, given, caller) {
    await open.store();
    return open.reports.stats(await filterOf(open, given, caller));
  },
});
