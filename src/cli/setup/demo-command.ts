import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface DemoArguments extends GlobalArguments {
  query?: string[];
}

export const demoCommand = {
  command: 'demo [query..]',
  describe: 'try smart-fork on sample sessions, in a temporary home',
  builder: (yargs: Argv) =>
    yargs
      .positional('query', { type: 'string', describe: 'what you want to do' })
      .example('$0 demo', 'take a tour of the sample sessions')
      .example('$0 demo payments are booked twice', 'use your own query'),
  handler: (args: DemoArguments) =>
    runCommand(args, async (context) => {
      const { runDemo } = await import('./run-demo.ts');
      await runDemo(context, (args.query ?? []).join(' '));
    }),
};
