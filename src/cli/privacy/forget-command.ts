import type { Argv } from 'yargs';
import { runCommand } from '../run-command.ts';
import type { ForgetArguments } from './run-forgetting.ts';

export const forgetCommand = {
  command: 'forget [ids..]',
  describe: 'remove sessions from the index and the archive',
  builder: (yargs: Argv) =>
    yargs
      .positional('ids', { type: 'string', describe: 'session ids or prefixes' })
      .option('repo', {
        type: 'string',
        describe: 'forget all sessions of a repository: ., a path, a name or owner/name',
      })
      .option('before', {
        type: 'string',
        describe: 'forget sessions that ended before a date, or an age such as "6 months"',
      })
      .option('searches', {
        type: 'boolean',
        describe:
          'forget the queries recorded with forks, and the ranking learned from them; keeps the sessions',
      })
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('dry-run', { type: 'boolean', describe: 'list the sessions without forgetting them' })
      .option('json', { type: 'boolean', describe: 'print {"forgotten": [...]}' })
      .example('$0 forget 8402b1ed', 'forget one session')
      .example('$0 forget --repo . --before 2026-01-01 --dry-run', 'see the old sessions of this repository'),
  handler: (args: ForgetArguments) =>
    runCommand(args, async (context) => {
      const { runForgetting } = await import('./run-forgetting.ts');
      await runForgetting(context, args);
    }),
};
