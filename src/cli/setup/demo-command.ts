import { defineCommand, runCommand } from '../run-command.ts';

export const demoCommand = defineCommand({
  command: 'demo [query..]',
  describe: 'try smart-fork on sample sessions, in a temporary home',
  builder: (yargs) =>
    yargs
      .positional('query', { type: 'string', array: true, describe: 'what you want to do' })
      .example('$0 demo', 'take a tour of the sample sessions')
      .example('$0 demo payments are booked twice', 'use your own query'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runDemo } = await import('./run-demo.ts');
      await runDemo(context, (args.query ?? []).join(' '));
    }),
});
