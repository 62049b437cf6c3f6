import { topics } from '../../operations/memory/topics.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const topicsCommand = operationCommand({
  operation: topics,
  command: 'topics [id]',
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 topics 8402b1ed', "a session's topics, with their turns"],
    ['$0 topics', 'topics of this repository: their sessions, where each stands, what is open'],
    ['$0 topics --everywhere --since "2 weeks"', 'recent topics of all repositories'],
  ],
  async print({ sessions, ...across }, { terminal, parts }) {
    const { renderTopics, renderTopicsAcross } = await import('./render-memory.ts');
    const now = parts.machine.now();
    terminal.out(
      sessions.length > 0 ? renderTopics(sessions, terminal, now) : renderTopicsAcross(across, terminal, now),
    );
  },
});
