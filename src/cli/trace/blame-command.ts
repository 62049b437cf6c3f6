import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface BlameArguments extends GlobalArguments {
  file: string;
}

export const blameCommand = {
  command: 'blame <file>',
  describe: 'show the sessions that wrote a line',
  builder: (yargs: Argv) =>
    yargs
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'FILE, FILE:LINE or FILE:FIRST-LAST',
      })
      .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' })
      .example('$0 blame src/auth.ts:42', 'the session that wrote line 42')
      .example('$0 blame src/auth.ts', 'the sessions behind every line'),
  handler: (args: BlameArguments) =>
    runCommand(args, async (context) => {
      const { runBlame } = await import('./run-trace.ts');
      await runBlame(context, args);
    }),
};
