import { openItems } from '../../operations/memory/open-items.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const openCommand = operationCommand({
  operation: openItems,
  command: 'open',
  names: { kinds: 'kind' },
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 open --repo .', 'what is left to do in this repository'],
    ['$0 open --kind question --since 30d', 'questions from the last month'],
  ],
  async print(answer, { terminal, parts }) {
    const { renderOpen } = await import('./render-memory.ts');
    terminal.out(renderOpen(answer, terminal, parts.machine.now()));
  },
});
