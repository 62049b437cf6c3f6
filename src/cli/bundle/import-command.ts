import { defineCommand, runCommand } from '../run-command.ts';

export const importCommand = defineCommand({
  command: 'import <file>',
  describe: 'import sessions from a bundle (export --bundle)',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'the bundle' })
      .option('identity', {
        type: 'string',
        array: true,
        nargs: 1,
        describe: "file with a recipient's secret key, as written by age-keygen",
      })
      .option('passphrase-file', {
        type: 'string',
        requiresArg: true,
        describe: 'read the passphrase from the first line of a file; - is standard input (default: ask)',
      })
      .option('dry-run', {
        type: 'boolean',
        describe: 'check the whole file, and print what would be imported',
      })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 import sessions.age', 'ask for the passphrase, check the file, import')
      .example('$0 import sessions.age --identity key.txt', "use the recipient's key")
      .epilogue(
        "Adds sessions to the index and transcripts to the archive; smart-fork restore writes a transcript into your agent's folder. A session that is already here in a different state is left unchanged, and the exit code is 1.",
      ),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runBundleImport } = await import('./run-bundle-import.ts');
      await runBundleImport(context, args);
    }),
});
