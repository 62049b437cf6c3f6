import { lost } from '../../operations/read/lost.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const lostCommand = operationCommand({
  operation: lost,
  command: 'lost [id]',
  json: 'print the lines as JSON',
  examples: [['$0 lost 8402b1ed', 'see what a compaction dropped']],
  async print(found, { terminal, parts, env }) {
    const { renderLost } = await import('./render-lost.ts');
    const { withShortIds } = await import('../shared/short-ids.ts');
    const { page } = await import('../terminal/pager.ts');
    const look = await withShortIds(terminal, parts, [found.session_id]);
    await page(renderLost(found, look), terminal, env);
  },
});
