import type { Argv } from 'yargs';
import { AGENTS } from '../../domain/session/session.ts';
import { runCommand } from '../run-command.ts';
import type { UninstallArguments } from './run-uninstall.ts';

export const uninstallCommand = {
  command: 'uninstall',
  describe: "remove hooks and MCP server from your agents' settings",
  builder: (yargs: Argv) =>
    yargs
      .option('agent', { choices: AGENTS, describe: 'only this agent' })
      .option('yes', { type: 'boolean', alias: 'y', describe: "don't ask" })
      .option('dry-run', { type: 'boolean', describe: 'show the changes, make none' })
      .option('purge', { type: 'boolean', describe: 'delete the index and the settings too' })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 uninstall', 'keep the index')
      .example('$0 uninstall --purge', 'keep only your transcripts and the embedding model'),
  handler: (args: UninstallArguments) =>
    runCommand(args, async (context) => {
      const { runUninstall } = await import('./run-uninstall.ts');
      await runUninstall(context, args);
    }),
};
