import { Console } from 'node:console';
import { type CommandContext, defineCommand, runCommand } from '../run-command.ts';
import { version } from '../version.ts';

export const mcpCommand = defineCommand({
  command: 'mcp',
  describe: 'run the MCP server on stdio; agents start it',
  builder: (yargs) =>
    yargs
      .option('plugin', {
        type: 'boolean',
        describe: "for an agent's plugin, which starts the server in the plugin's folder",
      })
      .example(
        'claude mcp add smart-fork -- $0 mcp',
        'add it to Claude Code manually; init does this for you',
      ),
  handler: (args) => runCommand(args, (context) => serve(context, args.plugin === true), { isUnseen: true }),
});

/** Maximum size of a client's message, in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Serves the protocol on stdin and stdout until the client disconnects. */
async function serve({ parts, terminal, signal }: CommandContext, fromPlugin: boolean): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { createServer } = await import('../../mcp/server.ts');
  const { stdin, stdout, stderr } = process;
  // Stdout belongs to the protocol, so packages that log to the console get stderr.
  Object.assign(console, new Console({ stdout: stderr, stderr }));
  const server = createServer({
    parts,
    version: version(),
    workingDirectory: process.cwd(),
    fromPlugin,
    inProject: !fromPlugin,
    log: (message) => terminal.err(message),
  });
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MAX_BYTES });
  // Set before the server connects, it is called first.
  transport.onerror = (error) => {
    const refusal = refusalOf(error);
    // Without an id, because a message that cannot be read has none.
    if (refusal !== null) transport.send({ jsonrpc: '2.0', error: refusal }).catch(close);
  };
  server.server.onerror = (error) => {
    if (refusalOf(error) === null) terminal.err(error.message);
  };
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  const close = () => {
    server.close().catch((error: unknown) => terminal.err(String(error)));
  };
  stdin.once('end', close);
  stdin.once('close', close);
  stdout.once('error', close);
  signal.addEventListener('abort', close, { once: true });
  await server.connect(transport);
  await closed;
  stdin.destroy();
}

/** The answer to a line that is no message, with the codes of JSON-RPC; null for other errors. */
function refusalOf(error: Error): { code: number; message: string } | null {
  if (error instanceof SyntaxError) return { code: -32700, message: 'the line is not JSON' };
  return error.name.includes('ZodError')
    ? {
        code: -32600,
        message: 'the line is JSON, but not a request, notification or response of JSON-RPC 2.0',
      }
    : null;
}
