import { commandLine } from '../../domain/machine/shell.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeline } from '../../operations/memory/timeline.ts';
import { operationCommand } from '../operation/operation-command.ts';
import { filterOf } from '../shared/filter-options.ts';

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
  async print(answer, { terminal, parts }, _args, input) {
    const { renderTimeline } = await import('./render-memory.ts');
    const { query = null } = input;
    terminal.out(renderTimeline(answer, query, terminal, parts.machine.now()));
    if (answer.sessions.length > 0) return;
    const { explainFilters } = await import('../search/explain-filters.ts');
    const filter = await filterOf(input, parts);
    const explained = await explainFilters(await parts.store(), filter, terminal);
    if (explained !== '') terminal.err(explained);
    if (query === null) return;
    const words = ['smart-fork', 'search', ...sanitizeLine(query).split(' ')];
    terminal.err(`To look in whole sessions: ${commandLine(words, null, parts.machine.shell)}`);
  },
});
