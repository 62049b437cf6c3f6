import type { Argv } from 'yargs';
import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface TimelineArguments extends GlobalArguments, FilterArguments {
  query?: string[];
  entity?: string;
  kind?: string | string[];
  limit?: number;
  all?: boolean;
}

export const timelineCommand = {
  command: 'timeline [query..]',
  describe: 'list decisions, findings and solutions in order',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('query', { type: 'string', describe: 'follow one decision: its subject' })
        .option('entity', {
          type: 'string',
          requiresArg: true,
          describe: 'only about a file, a package, an error …: a name, or type:name',
        })
        .option('kind', {
          type: 'string',
          choices: IDEA_KINDS,
          describe: 'only this kind (repeatable; default: decision, conclusion, problem, solution)',
        })
        .option(
          'limit',
          numberOption('--limit', {
            alias: 'n',
            whole: true,
            min: 1,
            max: 1000,
            describe: 'number of ideas, newest first (default 30)',
          }),
        )
        .option('all', { type: 'boolean', describe: 'also show ideas from less reliable sources' })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 timeline --repo .', 'the history of this repository')
      .example('$0 timeline --entity src/auth.ts', 'decisions and solutions about a file')
      .example('$0 timeline retry delay', 'how one decision changed'),
  handler: (args: TimelineArguments) =>
    runCommand(args, async (context) => {
      const { runTimeline } = await import('./run-memory.ts');
      await runTimeline(context, { ...args, query: (args.query ?? []).join(' ') });
    }),
};
