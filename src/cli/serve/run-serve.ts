import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeProblems } from '../../compose/init.ts';
import { askToSignIn, type SignInWay } from '../../compose/serve/ask-server.ts';
import {
  isLoopback,
  openInBrowser,
  readServerRecord,
  removeServerRecord,
  type ServerRecord,
  serveToken,
  writeServerRecord,
} from '../../compose/serve/serve-token.ts';
import { aborted } from '../../domain/aborted.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { CommandContext } from '../run-command.ts';
import { createInk } from '../terminal/ink.ts';
import { version } from '../version.ts';

interface ServeOptions {
  port?: number;
  host?: string;
  tokenFile?: string;
  worker?: boolean;
  open?: boolean;
  json?: boolean;
}

/** Next to the built chunks. */
const PAGE = fileURLToPath(new URL('../page/', import.meta.url));

/** Serves until Ctrl-C. */
export async function runServe(context: CommandContext, args: ServeOptions): Promise<void> {
  const { config, terminal, signal } = context;
  if (!config.serve.enabled) {
    throw new SmartForkError('USAGE', 'serve is turned off: serve.enabled (server.enable_api) is false', {
      hint: 'smart-fork config set serve.enabled true',
    });
  }
  const running = readServerRecord(config.home);
  if (running !== null) return pointTo(context, args, running);
  // Its token, its address and the worker's jobs are in files.
  const problem = homeProblems(config.home).find(({ fatal }) => fatal);
  if (problem !== undefined)
    throw new SmartForkError('STORE_UNAVAILABLE', problem.message, { hint: problem.hint ?? undefined });
  const host = args.host ?? config.serve.host;
  const given = args.tokenFile === undefined ? undefined : resolve(args.tokenFile);
  const { path, token } = serveToken(config, host, given);
  if (!isLoopback(host)) warn(context, host);
  const [{ startServer }, { startWorkerThread }] = await Promise.all([
    import('../../http/start-server.ts'),
    import('../../http/worker/start-worker-thread.ts'),
  ]);
  const log = (message: string) => terminal.err(message);
  const server = await startServer({
    config,
    token,
    host,
    version: version(),
    pageFolder: PAGE,
    log,
    port: args.port ?? config.serve.port,
    anyPort: args.port === undefined && config.settings['serve.port'].origin === 'default',
  });
  const worker = args.worker === false ? null : startWorkerThread(log);
  const since = new Date().toISOString();
  const record = { pid: process.pid, url: server.url, token_file: path, since };
  try {
    writeServerRecord(config.home, record);
    warnOfOtherPort(context, args, server.url);
    await announce(context, args, record, server.signIn);
    await aborted(signal);
  } finally {
    removeServerRecord(config.home, process.pid);
    await server.close();
    await worker?.stop();
  }
}

/** A client that expects the usual port would talk to another program. */
function warnOfOtherPort({ config, terminal }: CommandContext, args: ServeOptions, url: string): void {
  const usual = args.port ?? config.serve.port;
  if (usual !== 0 && String(usual) !== new URL(url).port) terminal.err(`Another program uses port ${usual}.`);
}

async function announce(
  context: CommandContext,
  args: ServeOptions,
  record: ServerRecord,
  signIn: (way: SignInWay) => string,
): Promise<void> {
  const { terminal, env } = context;
  const { url, pid } = record;
  if (args.json === true) terminal.out(JSON.stringify({ url, pid }));
  else terminal.out(`Listening on ${createInk(terminal).style.command(url)}`);
  if (args.open === true) await openPage(context, record, async (way) => signIn(way));
  else if (args.json !== true) terminal.err('Open the page: smart-fork serve --open. Stop: Ctrl-C.');
  if (env.SSH_CONNECTION && args.json !== true)
    terminal.err(`From your own machine: ssh -L ${new URL(url).port}:127.0.0.1:${new URL(url).port} …`);
}

/** Other users can read the command line that opens a browser, so it names a file that only this user can read. */
async function openPage(
  { terminal, env }: CommandContext,
  { url, pid }: ServerRecord,
  signIn: (way: SignInWay) => Promise<string | null>,
): Promise<void> {
  // Where the page cannot be written, the user opens the address.
  const file = await signIn('page').catch(() => null);
  if (file !== null && (await openInBrowser(file, env))) return;
  const address = await signIn('address');
  if (address === null)
    throw new SmartForkError('USAGE', `the server at ${url} (process ${pid}) does not answer`, {
      hint: 'Stop it and start it again.',
    });
  terminal.err(`Open this address within a minute, once: ${address}`);
}

/** Only one server runs per machine, so this refers to the running one. */
async function pointTo(context: CommandContext, args: ServeOptions, running: ServerRecord): Promise<void> {
  const { terminal } = context;
  const { url, pid } = running;
  if (args.port !== undefined && String(args.port) !== new URL(url).port) {
    throw new SmartForkError('USAGE', `smart-fork serve is already running at ${url} (process ${pid})`, {
      hint: 'Stop it first, to serve on another port.',
    });
  }
  if (args.json === true) terminal.out(JSON.stringify({ url, pid, running: true }));
  else terminal.out(`smart-fork serve is already running at ${url} (process ${pid}).`);
  if (args.open === true) await openPage(context, running, (way) => askToSignIn(context.config.home, way));
}

function warn({ terminal }: CommandContext, host: string): void {
  terminal.err(
    `Warning: ${host} is reachable from other machines. Anyone with the token can read every session, and the connection is not encrypted.`,
  );
}
