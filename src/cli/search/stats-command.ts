import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, filterOf, withFilters } from '../shared/filter-options.ts';

export const statsCommand = {
  command: 'stats',
  describe: 'count indexed sessions, by repository and month',
  builder: (yargs: Argv) =>
    withFilters(yargs.option('json', { type: 'boolean', describe: 'print as JSON' })).example(
      '$0 stats',
      'count all sessions',
    ),
  handler: (args: GlobalArguments & FilterArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { readStats } = await import('../../compose/reports/read-stats.ts');
      const stats = await readStats(parts, await filterOf(args, parts));
      if (args.json === true) return terminal.out(JSON.stringify(stats));
      const { renderStats } = await import('./render-stats.ts');
      terminal.out(renderStats(stats, terminal, { nowMs: parts.machine.now(), server: stats.server }));
    }),
};
