import { timeline } from '../../operations/memory/timeline.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const timelineCommand = operationCommand({
  operation: timeline,
  command: 'timeline [query..]',
  names: { kinds: 'kind' },
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 timeline --repo .', 'the history of this repository'],
    ['$0 timeline --entity src/auth.ts', 'decisions and solutions about a file'],
    ['$0 timeline retry delay', 'how one decision changed'],
  ],
  async print(answer, { terminal, parts }) {
    const { renderTimeline } = await import('./render-memory.ts');
    terminal.out(renderTimeline(answer, terminal, parts.machine.now()));
  },
});
