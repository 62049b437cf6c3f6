import { defineCommand, runCommand } from '../run-command.ts';

export const reindexCommand = defineCommand({
  command: 'reindex',
  describe: 'rebuild the index from the transcripts',
  builder: (yargs) =>
    yargs
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('embed', {
        type: 'boolean',
        describe: 'wait for embedding; in a terminal, the worker embeds by default; --no-embed defers it',
      })
      .option('json', { type: 'boolean', describe: 'print the summary as JSON' })
      .example('$0 reindex', 'after changing the model, for example')
      .example('$0 reindex --yes', 'rebuild without asking'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runReindexing } = await import('./run-reindexing.ts');
      await runReindexing(context, args);
    }),
});
