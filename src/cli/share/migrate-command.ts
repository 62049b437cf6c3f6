import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface MigrateArguments extends GlobalArguments {
  to: string;
  from?: string;
}

export const migrateCommand = {
  command: 'migrate',
  describe: 'copy sessions between this machine and the Qdrant server',
  builder: (yargs: Argv) =>
    yargs
      .option('to', {
        choices: ['qdrant', 'embedded'] as const,
        demandOption: true,
        describe: 'copy to the server (qdrant), or to this machine (embedded)',
      })
      .option('from', {
        type: 'string',
        requiresArg: true,
        describe: "copy from another collection on the server, such as the Python smart-fork's",
      })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 migrate --to qdrant', 'copy all sessions from this machine to the server')
      .example('$0 migrate --to embedded', 'copy all sessions from the server to this machine')
      .example('$0 migrate --to qdrant --from claude_sessions', "import the Python smart-fork's sessions"),
  handler: (args: MigrateArguments) =>
    runCommand(args, async (context) => {
      const { runMigration } = await import('./run-migration.ts');
      const to = args.to === 'qdrant' ? 'qdrant' : 'embedded';
      await runMigration(context, { to, from: args.from, json: args.json === true });
    }),
};
