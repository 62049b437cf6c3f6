import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { searchSessions } from '../app/search/search-sessions.ts';
import { answerCommands } from '../compose/serve/answer-commands.ts';
import { idsIn, type SignInWay } from '../compose/serve/ask-server.ts';
import { openLogins, writeSignInPage } from '../compose/serve/logins.ts';
import type { Config } from '../config/config.ts';
import { errorText, SmartForkError } from '../domain/errors.ts';
import { createApp } from './app.ts';
import { searchDependencies } from './context.ts';
import { refreshRegularly } from './live/refresh.ts';
import { watchStore } from './live/watch-store.ts';
import { createLiveEvents } from './live-events.ts';
import { createPartsInUse } from './parts-in-use.ts';
import { boundConnections, SERVER_OPTIONS } from './security/connections.ts';
import { createLogin } from './security/login.ts';
import { inAddress, ourHosts } from './security/our-hosts.ts';
import { refuseUpgrades, refusing } from './security/raw-requests.ts';
import { shortIdsOf } from './short-ids.ts';

export interface ServerRequest {
  config: Config;
  token: string;
  host: string;
  port: number;
  /** Uses the next free port if this one is taken. */
  anyPort: boolean;
  version: string;
  pageFolder: string;
  log(message: string): void;
}

interface RunningServer {
  url: string;
  port: number;
  /** Signs a browser in, once: the file of a page to open, or an address. */
  signIn(way: SignInWay): string;
  close(): Promise<void>;
}

/**
 * Serves the interface and the page.
 * @throws SmartForkError USAGE if the port is taken
 */
export async function startServer(request: ServerRequest): Promise<RunningServer> {
  const { config, token, version, pageFolder, log, host } = request;
  const server = createServer(SERVER_OPTIONS);
  const port = await listen(server, request);
  const url = `http://${inAddress(host)}:${port}`;
  const login = createLogin(token, port, openLogins(config));
  const signIn = (way: SignInWay) => {
    let remove: () => void = () => undefined;
    const code = login.createCode(() => remove());
    const address = `${url}/#code=${code}`;
    if (way === 'address') return address;
    const page = writeSignInPage(config, address);
    remove = page.remove;
    return page.path;
  };
  const parts = await createPartsInUse(config, log);
  // So that a machine without sessions gets empty answers. The worker fills it.
  await parts
    .use(async ({ parts: { storeExists, local } }) => void (storeExists() || (await local())))
    .catch((error: unknown) => log(`cannot create the index: ${errorText(error)}`));
  const live = createLiveEvents();
  const isOurHost = ourHosts(host, port);
  const app = createApp({ parts, version, login, isOurHost, live, pageFolder, log });
  const answer = getRequestListener((incoming) => app.fetch(incoming));
  server.on('request', refusing(answer));
  boundConnections(server);
  refuseUpgrades(server);
  const stopWatching = watchStore({ parts, live, log });
  const stopRefreshing = refreshRegularly({ parts, log });
  const commands = await answerCommands(config.home, version, signIn, (wanted, isOurs) =>
    parts.use(async (open) => {
      // The command then indexes first, and reports that.
      if (!isOurs(open.parts.config) || !open.parts.storeExists()) return null;
      const found = await searchSessions(await searchDependencies(open), wanted);
      return { found, ...(await shortIdsOf(open, idsIn(found))) };
    }),
  );
  return {
    url,
    port,
    signIn,
    async close() {
      login.close();
      stopWatching();
      stopRefreshing();
      await commands?.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await parts.close();
    },
  };
}

const MAX_PORTS = 50;

async function listen(server: Server, { host, port: first, anyPort }: ServerRequest): Promise<number> {
  for (let port = first; ; port += 1) {
    try {
      await tryPort(server, host, port);
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      const isTaken = code === 'EADDRINUSE' || code === 'EACCES';
      if (isTaken && anyPort && port < Math.min(first + MAX_PORTS, 65_535)) continue;
      const reason = code === 'EADDRINUSE' ? 'another program uses it' : String(error);
      throw new SmartForkError('USAGE', `cannot listen on ${inAddress(host)}:${port}: ${reason}`, {
        hint: 'Choose another port: smart-fork serve --port 8750.',
        cause: error,
      });
    }
  }
}

function tryPort(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}
