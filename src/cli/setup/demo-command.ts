import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface DemoArguments extends GlobalArguments {
  query?: string[] | undefined;
  '--'?: string[] | undefined;
}

export const demoCommand = {
  command: 'demo [query..]',
  describe: 'see it work on sample sessions, in a throw-away home',
  builder: (yargs: Argv) =>
    yargs
      .positional('query', { type: 'string', array: true, describe: 'what you want to do' })
      .example('$0 demo', 'the tour')
      .example('$0 demo payments are booked twice', 'with words of your own'),
  handler: (args: DemoArguments) =>
    runCommand(args, async (context) => {
      const { runDemo } = await import('./run-demo.ts');
      await runDemo(context, [...(args.query ?? []), ...(args['--'] ?? [])].join(' '));
    }),
};
