import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface WhichArguments extends GlobalArguments {
  commit: string;
}

export const whichCommand = {
  command: 'which <commit>',
  describe: 'show the sessions that made a commit',
  builder: (yargs: Argv) =>
    yargs
      .positional('commit', {
        type: 'string',
        demandOption: true,
        describe: 'a hash, or any git revision inside its repository',
      })
      .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' })
      .example('$0 which 0f9e02bd', 'the session that made it, with the command that forks it')
      .example('$0 which HEAD~2', 'in the current repository'),
  handler: (args: WhichArguments) =>
    runCommand(args, async (context) => {
      const { runWhich } = await import('./run-trace.ts');
      await runWhich(context, args);
    }),
};
