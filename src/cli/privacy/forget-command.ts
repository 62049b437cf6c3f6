import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface ForgetArguments extends GlobalArguments {
  ids?: string[] | undefined;
  repo?: string | undefined;
  before?: string | undefined;
  yes?: boolean | undefined;
}

export const forgetCommand = {
  command: 'forget [ids..]',
  describe: 'take sessions out of the index, and their kept copies out of the archive',
  builder: (yargs: Argv) =>
    yargs
      .positional('ids', { type: 'string', array: true, describe: 'session ids, or beginnings of them' })
      .option('repo', {
        type: 'string',
        describe: 'all sessions of a repository: . or a path, a name, host/owner/name',
      })
      .option('before', { type: 'string', describe: 'all sessions that ended before: a date, or "6 months"' })
      .option('yes', { type: 'boolean', alias: 'y', describe: "don't ask" })
      .option('json', { type: 'boolean', describe: 'print {"forgotten": [...]}' })
      .example('$0 forget 8402b1ed', 'one session')
      .example('$0 forget --repo . --before 2026-01-01', 'old ones of this repository'),
  handler: (args: ForgetArguments) =>
    runCommand(args, async (context) => {
      const { runForgetting } = await import('./run-forgetting.ts');
      await runForgetting(context, args);
    }),
};
