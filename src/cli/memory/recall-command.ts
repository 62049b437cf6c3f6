import { recall } from '../../operations/memory/recall.ts';
import { operationCommand } from '../operation/operation-command.ts';

export const recallCommand = operationCommand({
  operation: recall,
  command: 'recall [query..]',
  names: { kinds: 'kind' },
  about: { query: 'your question; quotes are optional' },
  json: 'print one JSON object (docs/json.md)',
  examples: [
    ['$0 recall why was the upload slow', 'the sentence that answers, and where to fork'],
    ['$0 recall what did we decide about retries', 'decisions first'],
    ['$0 recall what did I ask about retries last week', 'only your own words'],
    ['$0 recall "what went wrong with the release last month" --repo .', 'problems and their solutions'],
    ['$0 recall why does the build need JIT --also "allow-jit entitlement"', 'with a guess at the answer'],
    ['$0 recall open questions on the parser', 'unanswered questions'],
  ],
  waiting: 'Searching',
  showsNotices: true,
  async print(answer, { terminal, parts }) {
    const { renderRecall } = await import('./render-recall.ts');
    terminal.out(renderRecall(answer, terminal, parts.machine.now()));
  },
});
