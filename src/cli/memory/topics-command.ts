import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface TopicsArguments extends GlobalArguments, FilterArguments {
  id?: string;
  limit?: number;
}

export const topicsCommand = {
  command: 'topics [id]',
  describe: 'list the topics of a session, or of recent sessions',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('id', { type: 'string', describe: 'session id or prefix' })
        .option(
          'limit',
          numberOption('--limit', {
            alias: 'n',
            whole: true,
            min: 1,
            max: 200,
            describe: 'number of sessions (default 5, at most 200)',
          }),
        )
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 topics 8402b1ed', "a session's topics, with their turns")
      .example('$0 topics --repo . --since "2 weeks"', 'topics of recent sessions in this repository'),
  handler: (args: TopicsArguments) =>
    runCommand(args, async (context) => {
      const { runTopics } = await import('./run-memory.ts');
      await runTopics(context, args);
    }),
};
