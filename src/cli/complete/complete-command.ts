import { defineCommand, runCommand } from '../run-command.ts';

/** Called by the completion scripts. */
export const completeCommand = defineCommand({
  command: 'complete',
  describe: 'print completions for the last word after --',
  builder: (yargs) => yargs,
  handler: (args) =>
    runCommand(
      args,
      async ({ parts, terminal }) => {
        const [{ completeWords }, { knownValues }] = await Promise.all([
          import('./complete-words.ts'),
          import('./known-values.ts'),
        ]);
        const words = args['--'] as string[] | undefined;
        const found = await completeWords(words ?? [], () => knownValues(parts));
        for (const { value, about } of found) terminal.out(about === '' ? value : `${value}\t${about}`);
      },
      { withInvalidSettings: true },
    ),
});
