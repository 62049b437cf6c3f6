import { operation } from '../operation.ts';

export const status = operation({
  summary: 'show the background worker, its queue and its last error',
  effect: 'reads',
  fields: {},
  run: (open) => open.reports.status(),
  isEmpty: () => false,
  // Databases with problems are not opened.
  mayLack: ({ problems }) => problems.length === 0,
});
