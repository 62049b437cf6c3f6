import { Console } from 'node:console';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createServer } from '../../mcp/server.ts';
import type { CommandContext } from '../run-command.ts';
import { version } from '../version.ts';

/** The longest message a client may send. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Serves the protocol on stdin and stdout until the client disconnects. */
export async function runMcp(
  { parts, terminal, signal }: CommandContext,
  options: { fromPlugin: boolean },
): Promise<void> {
  const { stdin, stdout, stderr } = process;
  // Stdout belongs to the protocol: packages that log to the console get stderr.
  Object.assign(console, new Console({ stdout: stderr, stderr }));
  const server = createServer({
    parts,
    version: version(),
    workingDirectory: process.cwd(),
    fromPlugin: options.fromPlugin,
    log: (message) => terminal.err(message),
  });
  server.server.onerror = (error) => terminal.err(error.message);
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
  await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: MOST_BYTES }));
  await closed;
  stdin.destroy();
}
