import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import { readQueries } from '../../eval/read-queries.ts';
import type { Bench, Row } from '../bench.ts';
import { indexWords, openLibrary } from '../library.ts';
import { CLI, type Home, makeHome, timeCli, timeProcess } from '../processes.ts';
import { alternate, percentile } from '../timing.ts';

const TURNS = 21;
const QUERY = 'add token usage cards to the dashboard';
const CLIENTS = 10;
const LOAD_MS = 60_000;

export const searchServed: Bench = {
  name: 'search-served',
  describe: 'a search as a process while smart-fork serve runs',
  async run({ scratch, work, claudeHome, model }) {
    if (claudeHome === null || model === null) return 'no Claude Code transcripts, or no model';
    const smartForkHome = join(work, 'claude');
    const parts = await openLibrary(smartForkHome, { claude: [claudeHome], model });
    await indexWords(parts);
    await embedPending({ store: await parts.store(), embedder: await parts.embedding.embedder() });
    await parts.close();
    const { env } = makeHome(scratch, { claude: claudeHome });
    const home = { env: { ...env, SMART_FORK_HOME: smartForkHome, SMART_FORK_MODEL_DIR: model } };
    const server = await startServer(home, '--no-worker');
    try {
      return [
        await askServer(home, 'search by keyword, answered by serve', 'keyword', 3),
        await askServer(home, 'search by words and meaning, answered by serve', 'hybrid', 4.5),
      ];
    } finally {
      await server.stop();
    }
  },
};

async function askServer(home: Home, what: string, mode: string, most: number): Promise<Row> {
  const times = await alternate(
    TURNS,
    async () => timeCli(home, 'search', QUERY, '--mode', mode),
    async () => timeProcess(home, '-e', '0'),
  );
  return {
    what,
    measured: { value: times.subject, unit: 'ms' },
    floor: { value: times.floor, unit: 'ms', label: 'node -e 0' },
    target: { of: 'ratio', most },
  };
}

export const serveLoad: Bench = {
  name: 'serve-load',
  describe: 'searches over REST for a minute each, while sessions are indexed',
  large: true,
  async run({ scratch, claudeHome, codexHome, queries }) {
    if (claudeHome === null || codexHome === null || queries === null) return 'no transcripts';
    const codex = join(scratch, 'codex');
    mkdirSync(codex);
    const home = makeHome(scratch, { claude: claudeHome, codex });
    timeCli(home, 'index', '--no-embed', '--json');
    const texts = readQueries(queries).map(({ text }) => text);
    const server = await startServer(home);
    try {
      const rows: Row[] = [];
      const transcripts = readdirSync(codexHome, { recursive: true, encoding: 'utf8' }).filter(isTranscript);
      const share = Math.ceil(transcripts.length / LOADS.length);
      for (const [what, path, ask] of LOADS) {
        const before = server.memory();
        const [load] = await Promise.all([
          askFor(LOAD_MS, server, path, (index) => ask(texts[index % texts.length] ?? '')),
          copyEvenly(transcripts.splice(0, share), codexHome, codex),
        ]);
        rows.push(
          { ...row(what, load.perSecond, '/s'), target: { of: 'measured', least: 200 } },
          { ...row('… refused or failed', load.failed, 'requests'), target: { of: 'measured', most: 0 } },
          row('… p95', load.p95, 'ms'),
          row('… memory, more than before', server.memory() - before, 'MB'),
        );
      }
      return rows;
    } finally {
      await server.stop();
    }
  },
};

/** What is asked, its path, and the rest of the request for a query. */
const LOADS: [what: string, path: string, ask: (query: string) => { search?: string; body?: string }][] = [
  ['passages over REST, ten at once', '/chunks/search', (query) => ({ body: JSON.stringify({ query }) })],
  [
    'sessions over REST, five results',
    '/api/v1/search',
    (q) => ({ search: `?${new URLSearchParams({ q, limit: '5' })}` }),
  ],
  [
    'sessions over REST, twenty results',
    '/api/v1/search',
    (q) => ({ search: `?${new URLSearchParams({ q })}` }),
  ],
];

function row(what: string, value: number, unit: Row['measured']['unit']): Row {
  return { what, measured: { value, unit }, floor: null, target: null };
}

function isTranscript(path: string): boolean {
  return path.endsWith('.jsonl') && path.includes('rollout-');
}

/** Copies transcripts, spread over the time of a load, as if sessions came to an end. */
async function copyEvenly(paths: string[], from: string, to: string): Promise<void> {
  for (const path of paths) {
    const copy = join(to, path);
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(from, path), copy);
    await wait(LOAD_MS / (paths.length + 1));
  }
}

interface Server {
  port: number;
  token: string;
  /** Resident memory in MB. */
  memory(): number;
  stop(): Promise<void>;
}

async function startServer({ env }: Home, ...words: string[]): Promise<Server> {
  const child = spawn(process.execPath, [CLI, 'serve', '--json', '--port', '0', ...words], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    port: Number(new URL(url).port),
    token: readFileSync(join(env.SMART_FORK_HOME ?? '', 'serve-token'), 'utf8').trim(),
    memory: () => residentMemory(child),
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

function residentMemory({ pid }: ChildProcess): number {
  return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;
}

interface Load {
  perSecond: number;
  failed: number;
  p95: number;
}

/** Keeps `CLIENTS` requests under way. */
async function askFor(
  ms: number,
  server: Server,
  path: string,
  requestFor: (index: number) => { search?: string; body?: string },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const times: number[] = [];
  let [asked, failed] = [0, 0];
  const end = performance.now() + ms;
  const client = async () => {
    while (performance.now() < end) {
      const { search = '', body } = requestFor(asked);
      asked += 1;
      const started = performance.now();
      const status = await ask(server, agent, path + search, body);
      times.push(performance.now() - started);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return { perSecond: times.length / (ms / 1000), failed, p95: percentile(times, 0.95) };
}

/** The response's status; 0 without one. */
function ask({ port, token }: Server, agent: Agent, path: string, body?: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
