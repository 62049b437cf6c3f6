import { forget } from '../../operations/privacy/forget.ts';
import { defineCommand, runCommand } from '../run-command.ts';
import { inputOf, withFields } from '../shared/field-options.ts';
import type { ForgetGiven } from './run-forgetting.ts';

const COMMAND = 'forget [ids..]';

export const forgetCommand = defineCommand({
  command: COMMAND,
  describe: forget.summary,
  builder: (yargs) =>
    withFields(yargs, COMMAND, forget.fields)
      .option('searches', {
        type: 'boolean',
        describe:
          'forget the queries recorded with forks, and the ranking learned from them; keeps the sessions',
      })
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('json', { type: 'boolean', describe: 'print {"forgotten": [...]}' })
      .example('$0 forget 8402b1ed', 'forget one session')
      .example('$0 forget --repo . --before 2026-01-01 --dry-run', 'see the old sessions of this repository'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runForgetting } = await import('./run-forgetting.ts');
      await runForgetting(context, inputOf(forget.fields, COMMAND, {}, args) as ForgetGiven, args);
    }),
});
