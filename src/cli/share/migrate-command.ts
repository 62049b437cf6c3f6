import { defineCommand, runCommand } from '../run-command.ts';

export const migrateCommand = defineCommand({
  command: 'migrate',
  describe: 'copy sessions between this machine and the Qdrant server',
  builder: (yargs) =>
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
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runMigration } = await import('./run-migration.ts');
      await runMigration(context, args);
    }),
});
