import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

interface McpArguments extends GlobalArguments {
  plugin?: boolean | undefined;
}

export const mcpCommand = {
  command: 'mcp',
  describe: 'run the MCP server on stdio: claude mcp add smart-fork -- smart-fork mcp',
  builder: (yargs: Argv) =>
    yargs.option('plugin', {
      type: 'boolean',
      describe: "for an agent's plugin, which starts the server in the plugin's folder",
    }),
  handler: (args: McpArguments) =>
    runCommand(args, async (context) => {
      const { runMcp } = await import('./run-mcp.ts');
      await runMcp(context, { fromPlugin: args.plugin === true });
    }),
};
