import type { Argv } from 'yargs';
import { AGENTS, type Agent } from '../../domain/session/session.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface InitArguments extends GlobalArguments {
  agent?: Agent | undefined;
  yes?: boolean | undefined;
  dryRun?: boolean | undefined;
  hooks?: boolean | undefined;
  mcp?: boolean | undefined;
  model?: boolean | undefined;
  index?: boolean | undefined;
}

export const initCommand = {
  command: 'init',
  describe: 'set it up: hooks and MCP server for your agents, then index what is there',
  builder: (yargs: Argv) =>
    yargs
      .option('agent', { choices: AGENTS, describe: 'only this agent, found or not' })
      .option('yes', { type: 'boolean', alias: 'y', describe: "don't ask" })
      .option('dry-run', { type: 'boolean', describe: 'show what would change, and change nothing' })
      .option('hooks', { type: 'boolean', default: true, describe: 'hooks; --no-hooks leaves them out' })
      .option('mcp', { type: 'boolean', default: true, describe: 'MCP server; --no-mcp leaves it out' })
      .option('model', { type: 'boolean', describe: 'download the embedding model too; --no-model never' })
      .option('index', { type: 'boolean', default: true, describe: 'index now; --no-index leaves it' })
      .option('json', { type: 'boolean', describe: 'print what was found and done as JSON' })
      .example('$0 init', 'shows every change and asks')
      .example('$0 init --dry-run', 'only shows')
      .example('$0 init --yes --agent claude', 'without questions, Claude Code alone'),
  handler: (args: InitArguments) =>
    runCommand(args, async (context) => {
      const { runInit } = await import('./run-init.ts');
      await runInit(context, {
        agent: args.agent,
        yes: args.yes === true,
        dryRun: args.dryRun === true,
        hooks: args.hooks !== false,
        mcp: args.mcp !== false,
        model: args.model,
        index: args.index !== false,
        json: args.json === true,
      });
    }),
};
