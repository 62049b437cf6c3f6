import { blame } from '../../operations/trace/blame.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const blameCommand = operationCommand({
  operation: blame,
  command: 'blame <file>',
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 blame src/auth.ts:42', 'the session that wrote line 42'],
    ['$0 blame src/auth.ts', 'the sessions behind every line'],
  ],
  waiting: 'Looking up the lines',
  async print(traced, { terminal, parts }) {
    const { renderTracedFile } = await import('./render-trace.ts');
    const { withShortIds } = await import('../shared/short-ids.ts');
    const ids = traced.commits.flatMap(({ sessions }) => sessions.map(({ session_id }) => session_id));
    const look = await withShortIds(terminal, parts, ids);
    terminal.out(renderTracedFile(traced, look, parts.machine.now()));
  },
});
