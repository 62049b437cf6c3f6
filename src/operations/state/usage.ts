import { filterOf, filters } from '../filters.ts';
import { operation } from '../operation.ts';

export const usage = operation({
  summary: 'add up the tokens that sessions used, by model, agent, repository and day',
  effect: 'reads',
  fields: filters,
  async run(open, given, caller) {
    await open.store();
    return open.reports.usage(await filterOf(open, given, caller));
  },
  isEmpty: ({ by_model }) => by_model.length === 0,
});
