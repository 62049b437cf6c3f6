import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface RestoreArguments extends GlobalArguments {
  id: string;
  to?: string;
  print?: boolean;
}

export const restoreCommand = {
  command: 'restore <id>',
  describe: 'restore a deleted transcript byte for byte',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id or prefix',
      })
      .option('to', {
        type: 'string',
        requiresArg: true,
        describe: 'project folder to restore the session for (default: the current folder)',
      })
      .option('print', {
        type: 'boolean',
        alias: 'p',
        describe: 'show the result without restoring anything',
      })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 restore 8402b1ed', 'make the session available in this folder')
      .example('$0 restore 8402b1ed --to ~/work/api', 'make it available in another folder'),
  handler: (args: RestoreArguments) =>
    runCommand(args, async (context) => {
      const { runRestore } = await import('./run-restore.ts');
      await runRestore(context, args);
    }),
};
