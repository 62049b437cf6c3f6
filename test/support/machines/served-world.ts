import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { CLI, createWorld, type World } from './mcp-world.ts';

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

export interface Served {
  world: World;
  url: string;
  port: number;
  token: string;
  process: ChildProcess;
  /** What it has printed to stderr. */
  log(): string;
  /** Sends a request exactly as given: `fetch` would set Host and Origin itself. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  stop(): Promise<number | null>;
}

/** Indexes the sample sessions and runs the built `smart-fork serve` on a free port. */
export async function serveWorld(words: string[] = [], world = createWorld()): Promise<Served> {
  await world.run('index', '--no-embed');
  const child = spawn(process.execPath, [CLI, 'serve', '--json', '--port', '0', ...words], {
    env: world.env,
    cwd: world.project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, log] = ['', ''];
  child.stderr.on('data', (part) => {
    log += part;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      out += part;
      if (out.includes('\n')) resolve();
    });
    child.once('exit', () => reject(new Error(`serve ended: ${log}`)));
  });
  const { url } = JSON.parse(out) as { url: string };
  const port = Number(new URL(url).port);
  const token = readFileSync(join(world.env.SMART_FORK_HOME ?? '', 'serve-token'), 'utf8').trim();
  return {
    ...{ world, url, port, token, process: child },
    log: () => log,
    ask: (path, options = {}) => ask(port, path, { token, ...options }),
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

function ask(port: number, path: string, options: AskOptions): Promise<Answer> {
  const { method = options.body === undefined ? 'GET' : 'POST', body, token = null, headers = {} } = options;
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, method, agent: false },
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
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
