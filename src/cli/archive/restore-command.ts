import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface RestoreArguments extends GlobalArguments {
  id: string;
  to?: string | undefined;
  print?: boolean | undefined;
}

export const restoreCommand = {
  command: 'restore <id>',
  describe: 'bring back a transcript that its agent has deleted, byte for byte',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id, or the beginning of one',
      })
      .option('to', {
        type: 'string',
        requiresArg: true,
        describe: 'the project folder that the agent is to find it from (this one unless given)',
      })
      .option('print', { type: 'boolean', alias: 'p', describe: 'only say what would be done' })
      .option('json', { type: 'boolean', describe: 'print what was done as JSON' })
      .example('$0 restore 8402b1ed', 'for the agent in this folder')
      .example('$0 restore 8402b1ed --to ~/work/api', 'for the agent in that one'),
  handler: (args: RestoreArguments) =>
    runCommand(args, async (context) => {
      const { runRestore } = await import('./run-restore.ts');
      await runRestore(context, args);
    }),
};
