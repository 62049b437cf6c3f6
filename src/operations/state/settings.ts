import { operation } from '../operation.ts';

export const settings = operation({
  summary: 'list every setting with its value and origin',
  effect: 'reads',
  fields: {},
  run: async (open) => open.reports.settings(),
});
