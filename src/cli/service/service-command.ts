import { defineCommand, runCommand } from '../run-command.ts';

export const serviceCommand = defineCommand({
  command: 'service <action>',
  describe: 'start smart-fork serve when you log in',
  builder: (yargs) =>
    yargs
      .positional('action', { choices: ['install', 'uninstall', 'status'] as const, demandOption: true })
      .option('token-file', {
        type: 'string',
        requiresArg: true,
        describe: 'for install: file with the token, as for serve',
      })
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('dry-run', { type: 'boolean', describe: 'show the file and the change without applying it' })
      .option('force', { type: 'boolean', describe: 'for uninstall: also remove a changed file' })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 service install', 'show the file, then ask')
      .example('$0 service status', 'show whether it is installed and running, and its log')
      .epilogue('Uses systemd --user on Linux, launchd on macOS, the Task Scheduler on Windows.'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runService } = await import('./run-service.ts');
      await runService(context, args);
    }),
});
