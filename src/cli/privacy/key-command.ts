import { defineCommand, runCommand } from '../run-command.ts';

export const keyCommand = defineCommand({
  command: 'key <action> [text]',
  describe: 'manage the key that encrypts data sent to a server',
  builder: (yargs) =>
    yargs
      .positional('action', {
        choices: ['create', 'status', 'export', 'import'] as const,
        demandOption: true,
      })
      .positional('text', {
        type: 'string',
        describe: 'for import: the line printed by export (default: ask)',
      })
      .option('force', { type: 'boolean', describe: 'replace an existing key and back up its file' })
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example('$0 key create', 'create a key on the first machine; asks for a passphrase')
      .example('$0 key export', 'print the key; anyone who has it can decrypt everything')
      .example('$0 key import', 'import it on every other machine; asks for the exported line')
      .epilogue(
        'Without a terminal, the passphrase is read from SMART_FORK_PASSPHRASE and the key to import from standard input.',
      ),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runKey } = await import('./run-key.ts');
      await runKey(context, args);
    }),
});
