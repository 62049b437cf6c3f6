import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface KeyArguments extends GlobalArguments {
  action: string;
  text?: string | undefined;
  force?: boolean | undefined;
}

export const keyCommand = {
  command: 'key <action> [text]',
  describe: 'the key that seals what goes to a server: make it, take it to another machine',
  builder: (yargs: Argv) =>
    yargs
      .positional('action', {
        choices: ['create', 'status', 'export', 'import'] as const,
        demandOption: true,
      })
      .positional('text', {
        type: 'string',
        describe: 'for import: what export printed; asked for unless given',
      })
      .option('force', { type: 'boolean', describe: 'replace another key that is here; its file is kept' })
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example('$0 key create', 'on the first machine; asks for a passphrase')
      .example('$0 key export', 'prints the key: whoever reads it can read everything')
      .example('$0 key import', 'on every other machine; asks for what export printed')
      .epilogue(
        'Without a terminal the passphrase is taken from SMART_FORK_PASSPHRASE, and the key to import from standard input.',
      ),
  handler: (args: KeyArguments) =>
    runCommand(args, async (context) => {
      const { runKey } = await import('./run-key.ts');
      await runKey(context, {
        action: args.action,
        text: args.text,
        force: args.force === true,
        json: args.json === true,
      });
    }),
};
