import { AGENTS } from '../../domain/agent/agents.ts';
import { defineCommand, runCommand } from '../run-command.ts';

export const initCommand = defineCommand({
  command: 'init',
  describe: 'set up hooks and the MCP server for your agents, then index their sessions',
  builder: (yargs) =>
    yargs
      .option('agent', { choices: AGENTS, describe: 'set up only this agent, even if it is not found' })
      .option('yes', { type: 'boolean', alias: 'y', describe: 'do not ask for confirmation' })
      .option('dry-run', { type: 'boolean', describe: 'show the changes without making them' })
      .option('diff', { type: 'boolean', alias: 'v', describe: 'show every line that changes' })
      .option('hooks', {
        type: 'boolean',
        default: true,
        describe: 'add hooks; --no-hooks to leave them out',
      })
      .option('mcp', {
        type: 'boolean',
        default: true,
        describe: 'add the MCP server; --no-mcp to leave it out',
      })
      .option('skills', {
        type: 'boolean',
        default: true,
        describe: 'add the skills (/fork-detect, /remember ...); --no-skills to leave them out',
      })
      .option('model', { type: 'boolean', describe: 'download the embedding model; --no-model to skip it' })
      .option('index', { type: 'boolean', default: true, describe: 'index now; --no-index to skip it' })
      .option('json', { type: 'boolean', describe: 'print the result as JSON' })
      .example('$0 init', 'show the files that will change, then ask')
      .example('$0 init --dry-run', 'only show the files')
      .example('$0 init --yes --agent claude', 'set up only Claude Code, without asking'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runInit } = await import('./run-init.ts');
      await runInit(context, args);
    }),
});
