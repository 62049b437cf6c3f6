import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface CompleteArguments extends GlobalArguments {
  '--'?: string[];
}

/** Called by the completion scripts. */
export const completeCommand = {
  command: 'complete',
  describe: 'print completions for the last word after --',
  builder: (yargs: Argv) => yargs,
  handler: (args: CompleteArguments) =>
    runCommand(
      args,
      async ({ parts, terminal }) => {
        const [{ completeWords }, { knownValues }] = await Promise.all([
          import('./complete-words.ts'),
          import('./known-values.ts'),
        ]);
        const found = await completeWords(args['--'] ?? [], () => knownValues(parts));
        for (const { value, about } of found) terminal.out(about === '' ? value : `${value}\t${about}`);
      },
      { withInvalidSettings: true },
    ),
};
