import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface McpArguments extends GlobalArguments {
  project?: boolean | undefined;
}

export const mcpCommand = {
  command: 'mcp',
  describe: 'serve agents over stdio: claude mcp add smart-fork -- smart-fork mcp',
  builder: (yargs: Argv) =>
    yargs.option('project', {
      type: 'boolean',
      default: true,
      describe: '--no-project: the current folder says nothing of the project',
    }),
  handler: (args: McpArguments) =>
    runCommand(args, async (context) => {
      const { runMcp } = await import('../run-mcp.ts');
      await runMcp(context, { knowsProject: args.project !== false });
    }),
};
