import { operation } from '../operation.ts';

export const doctor = operation({
  summary: 'check the installation and print how to fix problems',
  effect: 'reads',
  fields: {},
  run: async (open) => ({ checks: await open.reports.doctor() }),
});
