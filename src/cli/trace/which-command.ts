import { which } from '../../operations/trace/which.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const whichCommand = operationCommand({
  operation: which,
  command: 'which <commit>',
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 which 0f9e02bd', 'the session that made it, with the command that forks it'],
    ['$0 which HEAD~2', 'in the current repository'],
  ],
  waiting: 'Looking up the commit',
  async print(traced, { terminal, parts }) {
    const { renderTracedCommit } = await import('./render-trace.ts');
    const { withShortIds } = await import('../shared/short-ids.ts');
    const ids = traced.sessions.map(({ session_id }) => session_id);
    const look = await withShortIds(terminal, parts, ids);
    terminal.out(renderTracedCommit(traced, look, parts.machine.now()));
  },
});
