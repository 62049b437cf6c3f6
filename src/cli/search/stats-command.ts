import { stats } from '../../operations/state/stats.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const statsCommand = operationCommand({
  operation: stats,
  command: 'stats',
  json: 'print as JSON',
  examples: [['$0 stats', 'count all sessions']],
  async print(report, { terminal, parts }) {
    const { renderStats } = await import('./render-stats.ts');
    terminal.out(renderStats(report, terminal, { nowMs: parts.machine.now(), server: report.server }));
  },
});
