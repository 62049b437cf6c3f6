import { USAGE_GROUPINGS, type UsageGrouping } from '../../domain/usage/usage-report.ts';
import { usage } from '../../operations/state/usage.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const usageCommand = operationCommand({
  operation: usage,
  command: 'usage',
  describe: 'add up the tokens that sessions used, by model, agent, repository or day',
  options: {
    by: { type: 'string', choices: USAGE_GROUPINGS, describe: 'model (default), agent, day or repo' },
  },
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 usage --since "1 month"', 'tokens by model'],
    ['$0 usage --by day --repo .', 'tokens per day in this repository'],
  ],
  async print(report, { terminal }, { by = 'model' }) {
    const { renderUsage } = await import('./render-usage.ts');
    terminal.out(renderUsage(report, by as UsageGrouping, terminal));
  },
});
