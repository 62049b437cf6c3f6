import { stats } from '../../operations/state/stats.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const statsCommand = operationCommand({
  operation: stats,
  command: 'stats',
  json: 'print as JSON',
  neverIndexes: true,
  examples: [
    ['$0 stats', 'count all sessions'],
    ['$0 stats --searches', 'also how often a search led to a fork'],
  ],
  async print(report, { terminal, parts }) {
    const { renderStats } = await import('./render-stats.ts');
    const nowMs = parts.machine.now();
    const searches = 'searches' in report ? report.searches : null;
    terminal.out(renderStats(report, terminal, { nowMs, server: report.server, searches }));
  },
});
