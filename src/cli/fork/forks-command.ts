import { history } from '../../operations/fork/history.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const forksCommand = operationCommand({
  operation: history,
  command: 'forks',
  json: 'print {"forks": [...]}',
  examples: [['$0 forks', 'the last 20, with the searches before them']],
  async print({ forks }, { terminal, parts }) {
    const [{ renderForks }, { withShortIds }] = await Promise.all([
      import('./render-forks.ts'),
      import('../shared/short-ids.ts'),
    ]);
    const ids = forks.flatMap(({ session_id, result_session_id }) =>
      [session_id, result_session_id ?? []].flat(),
    );
    terminal.out(renderForks(forks, await withShortIds(terminal, parts, ids), parts.machine.now()));
  },
});
