import { search } from '../../operations/search/search.ts';
import type { Wording } from '../../operations/wording.ts';
import { defineCommand, runCommand } from '../run-command.ts';
import { inputOf, withFields } from '../shared/field-options.ts';
import { runSearch, type SearchGiven } from './run-search.ts';

const COMMAND = 'search [query..]';
const WORDING: Wording<typeof search.fields> = {
  // Only the page shows them.
  without: ['facets'],
  about: { query: 'what you want to do; quotes are optional' },
};

export const searchCommand = defineCommand({
  command: COMMAND,
  aliases: ['s'],
  describe: search.summary,
  lists: ['also', 'not', 'exclude'],
  builder: (yargs) =>
    withFields(yargs, COMMAND, search.fields, WORDING)
      .option('explain', { type: 'boolean', describe: 'show the parts of each score' })
      .option('ids', { type: 'boolean', describe: 'print only the ids, one per line' })
      .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' })
      .conflicts('ids', ['json', 'explain'])
      .example('$0 search "add token usage cards to the dashboard"', 'the five best sessions')
      .example('$0 search fix flaky test --repo . --since "2 weeks"', 'recent sessions of this repository')
      .example(
        '$0 search "login breaks" --also "OAuth token refresh 401" --also src/auth.ts',
        'several wordings at once',
      )
      .example('$0 search oauth --file src/auth.ts --json', 'sessions that changed a file, as JSON')
      .example('$0 search "oauth login last week -kubernetes"', 'dates, names and exclusions in words'),
  handler: (args) =>
    runCommand(
      args,
      async (context) => {
        await runSearch(context, inputOf(search.fields, COMMAND, WORDING, args) as SearchGiven, args);
      },
      { onlyPresent: true },
    ),
});
