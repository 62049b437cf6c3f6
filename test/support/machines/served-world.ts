import { request } from 'node:http';
import { setFields } from '../../../src/domain/set-fields.ts';
import { createWorld, type World } from './mcp-world.ts';
import { type RunningServer, startServe } from './start-serve.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // Each route has its own answer type.
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it by name.
  json: any;
}

export interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Null: no token. Defaults to the server's own. */
  token?: string | null;
}

export interface Served extends RunningServer {
  world: World;
  /** Sends a request exactly as given: `fetch` would set Host and Origin itself. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
}

/** Indexes the sample sessions and runs the built `smart-fork serve` on a free port. */
export async function serveWorld(words: string[] = [], world = createWorld()): Promise<Served> {
  await world.run('index', '--no-embed');
  const server = await startServe({ env: world.env, cwd: world.project }, ...words);
  return {
    ...server,
    world,
    ask: (path, options = {}) => ask(server.port, path, { token: server.token, ...options }),
  };
}

function ask(port: number, path: string, options: AskOptions): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', body, token = null, headers = {} } = options;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: setFields({
          authorization: token === null ? undefined : `Bearer ${token}`,
          'content-type': text === undefined ? undefined : 'application/json',
          ...headers,
        }),
      },
      (response) => {
        let answer = '';
        response.on('data', (part) => {
          answer += part;
        });
        response.on('error', reject);
        response.on('end', () => {
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          const json = isJson && answer !== '' ? JSON.parse(answer) : null;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer, json });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
