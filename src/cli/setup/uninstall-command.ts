import type { Argv } from 'yargs';
import { AGENTS, type Agent } from '../../domain/session/session.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface UninstallArguments extends GlobalArguments {
  agent?: Agent | undefined;
  yes?: boolean | undefined;
  dryRun?: boolean | undefined;
  purge?: boolean | undefined;
}

export const uninstallCommand = {
  command: 'uninstall',
  describe: "take hooks and MCP server out of your agents' settings again",
  builder: (yargs: Argv) =>
    yargs
      .option('agent', { choices: AGENTS, describe: 'only this agent' })
      .option('yes', { type: 'boolean', alias: 'y', describe: "don't ask" })
      .option('dry-run', { type: 'boolean', describe: 'show what would change, and change nothing' })
      .option('purge', { type: 'boolean', describe: 'delete the index and the settings too' })
      .option('json', { type: 'boolean', describe: 'print what was done as JSON' })
      .example('$0 uninstall', 'the index stays')
      .example('$0 uninstall --purge', 'nothing stays but your transcripts and the model'),
  handler: (args: UninstallArguments) =>
    runCommand(args, async (context) => {
      const { runUninstall } = await import('./run-uninstall.ts');
      await runUninstall(context, {
        agent: args.agent,
        yes: args.yes === true,
        dryRun: args.dryRun === true,
        purge: args.purge === true,
        json: args.json === true,
      });
    }),
};
