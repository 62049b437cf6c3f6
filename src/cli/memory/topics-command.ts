import { topics } from '../../operations/memory/topics.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const topicsCommand = operationCommand({
  operation: topics,
  command: 'topics [id]',
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 topics 8402b1ed', "a session's topics, with their turns"],
    ['$0 topics --repo . --since "2 weeks"', 'topics of recent sessions in this repository'],
  ],
  async print({ sessions }, { terminal, parts }) {
    const { renderTopics } = await import('./render-memory.ts');
    terminal.out(renderTopics(sessions, terminal, parts.machine.now()));
  },
});
