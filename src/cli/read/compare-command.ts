import { compare } from '../../operations/read/compare.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const compareCommand = operationCommand({
  operation: compare,
  command: 'compare <id> <other>',
  json: 'print the comparison as JSON',
  examples: [['$0 compare 8402b1ed 1c0ffee5', 'compare two attempts']],
  async print(comparison, { terminal, parts, env }) {
    const { renderComparison } = await import('./render-comparison.ts');
    const { withShortIds } = await import('../shared/short-ids.ts');
    const { page } = await import('../terminal/pager.ts');
    const ids = comparison.sessions.map(({ session_id }) => session_id);
    const look = await withShortIds(terminal, parts, ids);
    await page(renderComparison(comparison, look, { nowMs: parts.machine.now() }), terminal, env);
  },
});
