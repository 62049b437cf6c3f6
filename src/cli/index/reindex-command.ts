import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface ReindexArguments extends GlobalArguments {
  yes?: boolean;
  embed?: boolean;
}

export const reindexCommand = {
  command: 'reindex',
  describe: 'rebuild the index from the transcripts',
  builder: (yargs: Argv) =>
    yargs
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('embed', {
        type: 'boolean',
        describe: 'wait for embedding; in a terminal, the worker embeds by default; --no-embed defers it',
      })
      .option('json', { type: 'boolean', describe: 'print the summary as JSON' })
      .example('$0 reindex', 'after changing the model, for example')
      .example('$0 reindex --yes', 'rebuild without asking'),
  handler: (args: ReindexArguments) =>
    runCommand(args, async (context) => {
      const { runReindexing } = await import('./run-reindexing.ts');
      await runReindexing(context, {
        yes: args.yes === true,
        embed: args.embed,
        json: args.json === true,
      });
    }),
};
