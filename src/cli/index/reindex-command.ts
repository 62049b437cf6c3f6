import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface ReindexArguments extends GlobalArguments {
  yes?: boolean | undefined;
  embed?: boolean | undefined;
}

export const reindexCommand = {
  command: 'reindex',
  describe: 'build the index anew from the transcripts, for another model say',
  builder: (yargs: Argv) =>
    yargs
      .option('yes', { type: 'boolean', alias: 'y', describe: "don't ask" })
      .option('embed', { type: 'boolean', default: true, describe: 'embeddings too; --no-embed leaves them' })
      .option('json', { type: 'boolean', describe: 'print the summary as JSON' })
      .example('$0 reindex --yes', 'after the embedding model was changed'),
  handler: (args: ReindexArguments) =>
    runCommand(args, async (context) => {
      const { runReindexing } = await import('./run-reindexing.ts');
      await runReindexing(context, {
        yes: args.yes === true,
        embed: args.embed !== false,
        json: args.json === true,
      });
    }),
};
