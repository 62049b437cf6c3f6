import type { Argv } from 'yargs';
import { RANKINGS, SEARCH_MODES } from '../../domain/search/search.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';
import { everywhereOption } from './preferred-repository.ts';
import type { SearchOptions } from './run-search.ts';

interface SearchArguments extends GlobalArguments, Omit<SearchOptions, 'query' | 'json'> {
  query?: string[];
  /** The words after a bare `--`, which yargs passes separately. */
  '--'?: string[];
}

export const searchCommand = {
  command: 'search [query..]',
  aliases: ['s'],
  describe: 'find the session to fork from',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('query', {
          type: 'string',
          describe: 'what you want to do; quotes are optional',
        })
        .option('also', {
          type: 'string',
          array: true,
          // One value each, so that the option does not swallow the words of the query.
          nargs: 1,
          describe: 'another wording of the query (repeatable, at most four)',
        })
        .option(
          'limit',
          numberOption('--limit', {
            alias: 'n',
            whole: true,
            min: 1,
            max: 200,
            describe: 'number of results (default 5, at most 200)',
          }),
        )
        .option('min-score', numberOption('--min-score', { describe: 'hide results below this score' }))
        .option('mode', {
          type: 'string',
          choices: SEARCH_MODES,
          describe: 'by keyword, by meaning (dense) or both (hybrid)',
        })
        .option('ranking', {
          type: 'string',
          choices: RANKINGS,
          describe: 'prd: the formula in docs/ranking.md',
        })
        .option('as-of', { type: 'string', describe: 'search as of a date, or an age' })
        .option('not', { type: 'string', describe: 'leave out sessions that contain a text (repeatable)' })
        .option('exclude', { type: 'string', describe: 'leave out a session by its id (repeatable)' })
        .option('literal', {
          type: 'boolean',
          describe:
            'treat the whole query as keywords: "last week", -word and quotes have no special meaning',
        })
        .option('everywhere', everywhereOption)
        .option('explain', { type: 'boolean', describe: 'show the parts of each score' })
        .option('ids', { type: 'boolean', describe: 'print only the ids, one per line' })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' })
        .conflicts('ids', ['json', 'explain']),
    )
      .example('$0 search "add token usage cards to the dashboard"', 'the five best sessions')
      .example('$0 search fix flaky test --repo . --since "2 weeks"', 'recent sessions of this repository')
      .example(
        '$0 search "login breaks" --also "OAuth token refresh 401" --also src/auth.ts',
        'several wordings at once',
      )
      .example('$0 search oauth --file src/auth.ts --json', 'sessions that changed a file, as JSON')
      .example('$0 search "oauth login last week -kubernetes"', 'dates, names and exclusions in words'),
  handler: (args: SearchArguments) =>
    runCommand(args, async (context) => {
      const { runSearch } = await import('./run-search.ts');
      await runSearch(context, { ...args, query: [...(args.query ?? []), ...(args['--'] ?? [])].join(' ') });
    }),
};
