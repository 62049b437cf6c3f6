import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface MigrateArguments extends GlobalArguments {
  to: string;
  from?: string | undefined;
}

export const migrateCommand = {
  command: 'migrate',
  describe: 'copy sessions between this machine and the Qdrant server',
  builder: (yargs: Argv) =>
    yargs
      .option('to', {
        choices: ['qdrant', 'embedded'] as const,
        demandOption: true,
        describe: 'where to: the server, or this machine',
      })
      .option('from', {
        type: 'string',
        requiresArg: true,
        describe: 'another collection of the server, one of the Python smart-fork too',
      })
      .option('json', { type: 'boolean', describe: 'print what was done as JSON' })
      .example('$0 migrate --to qdrant', 'everything that is here')
      .example('$0 migrate --to embedded', 'everything that is on the server')
      .example('$0 migrate --to qdrant --from claude_sessions', 'what an older program left there'),
  handler: (args: MigrateArguments) =>
    runCommand(args, async (context) => {
      const { runMigration } = await import('./run-migration.ts');
      const to = args.to === 'qdrant' ? 'qdrant' : 'embedded';
      await runMigration(context, { to, from: args.from, json: args.json === true });
    }),
};
