import { readFilter } from '../../app/search/read-filter.ts';
import { usageHere } from '../../compose/reports/read-usage.ts';
import { usageReport } from '../../domain/json/state.ts';
import { openStore } from '../context.ts';
import { defineRoute } from '../route.ts';
import { filterQuery } from '../schemas/inputs.ts';

export const getUsage = defineRoute({
  method: 'get',
  path: '/api/v1/usage',
  summary: 'Tokens by model, agent, repository and day, from the transcripts',
  tag: 'state',
  query: filterQuery,
  output: usageReport,
  async run({ query }, open) {
    await openStore(open);
    return usageHere(open.parts, await readFilter(query, open.parts));
  },
});
