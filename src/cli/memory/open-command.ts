import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface OpenArguments extends GlobalArguments, FilterArguments {
  kind?: string | string[];
  limit?: number;
  all?: boolean;
}

export const openCommand = {
  command: 'open',
  describe: 'list todos, questions and problems that no session closed',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .option('kind', {
          type: 'string',
          choices: ['todo', 'question', 'problem'],
          describe: 'only this kind (repeatable)',
        })
        .option(
          'limit',
          numberOption('--limit', {
            alias: 'n',
            whole: true,
            min: 1,
            max: 1000,
            describe: 'number of ideas, newest first (default 20)',
          }),
        )
        .option('all', { type: 'boolean', describe: 'also show ideas from less reliable sources' })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 open --repo .', 'what is left to do in this repository')
      .example('$0 open --kind question --since 30d', 'questions from the last month'),
  handler: (args: OpenArguments) =>
    runCommand(args, async (context) => {
      const { runOpen } = await import('./run-memory.ts');
      await runOpen(context, args);
    }),
};
