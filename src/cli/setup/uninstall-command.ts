import { AGENTS } from '../../domain/agent/agents.ts';
import { defineCommand, runCommand } from '../run-command.ts';

export const uninstallCommand = defineCommand({
  command: 'uninstall',
  describe: "remove the service, and the hooks and the MCP server from your agents' settings",
  builder: (yargs) =>
    yargs
      .option('agent', { choices: AGENTS, describe: 'remove them from this agent only' })
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('dry-run', { type: 'boolean', describe: 'show the changes without making them' })
      .option('purge', { type: 'boolean', describe: "also delete smart-fork's index, archive and settings" })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 uninstall', 'keep the index')
      .example('$0 uninstall --purge', 'keep only your transcripts and the embedding model'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runUninstall } = await import('./run-uninstall.ts');
      await runUninstall(context, args);
    }),
});
