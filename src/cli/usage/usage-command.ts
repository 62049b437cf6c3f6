import type { Argv } from 'yargs';
import { USAGE_GROUPINGS, type UsageGrouping } from '../../domain/usage/usage-report.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, filterOf, withFilters } from '../shared/filter-options.ts';

interface UsageArguments extends GlobalArguments, FilterArguments {
  by?: UsageGrouping;
}

export const usageCommand = {
  command: 'usage',
  describe: 'add up the tokens that sessions used, by model, agent, repository or day',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .option('by', {
          type: 'string',
          choices: USAGE_GROUPINGS,
          describe: 'what to group by (default model)',
        })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 usage --since "1 month"', 'tokens by model')
      .example('$0 usage --by day --repo .', 'tokens per day in this repository'),
  handler: (args: UsageArguments) =>
    runCommand(args, async (context) => {
      const { ensureIndexed } = await import('../index/ensure-indexed.ts');
      if (!(await ensureIndexed(context))) return;
      const { parts, terminal } = context;
      const { usageHere } = await import('../../compose/reports/read-usage.ts');
      const report = await usageHere(parts, await filterOf(args, parts));
      if (args.json === true) return terminal.out(JSON.stringify(report));
      const { renderUsage } = await import('./render-usage.ts');
      terminal.out(renderUsage(report, args.by ?? 'model', terminal));
    }),
};
