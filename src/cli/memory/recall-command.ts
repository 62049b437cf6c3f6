import type { Argv } from 'yargs';
import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface RecallArguments extends GlobalArguments, FilterArguments {
  query?: string[];
  /** The words after a bare `--`, which yargs passes separately. */
  '--'?: string[];
  limit?: number;
  all?: boolean;
  kind?: string | string[];
  open?: boolean;
  literal?: boolean;
}

export const recallCommand = {
  command: 'recall [query..]',
  describe: 'answer a question from past decisions, findings and open items',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('query', { type: 'string', describe: 'your question; quotes are optional' })
        .option(
          'limit',
          numberOption('--limit', {
            alias: 'n',
            whole: true,
            min: 1,
            max: 100,
            describe: 'number of lines (default 8, at most 100)',
          }),
        )
        .option('kind', {
          type: 'string',
          choices: IDEA_KINDS,
          describe: 'only ideas of this kind (repeatable)',
        })
        .option('open', { type: 'boolean', describe: 'only open questions, problems and todos' })
        .option('literal', { type: 'boolean', describe: 'search for every word of the question' })
        .option('all', { type: 'boolean', describe: 'also show ideas from less reliable sources' })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 recall what did we decide about retries', 'decisions first')
      .example(
        '$0 recall "what went wrong with the release last month" --repo .',
        'problems and their solutions',
      )
      .example('$0 recall open questions on the parser', 'unanswered questions'),
  handler: (args: RecallArguments) =>
    runCommand(args, async (context) => {
      const { runRecall } = await import('./run-memory.ts');
      await runRecall(context, { ...args, query: [...(args.query ?? []), ...(args['--'] ?? [])].join(' ') });
    }),
};
