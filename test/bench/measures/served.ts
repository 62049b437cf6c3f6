import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { embedPending } from '../../../src/app/index/embed-pending.ts';
import { readQueries } from '../../eval/read-queries.ts';
import { type RunningServer, startServe } from '../../support/machines/start-serve.ts';
import type { Bench, Row } from '../bench.ts';
import { indexWords, openLibrary } from '../library.ts';
import { makeHome, timeCli } from '../processes.ts';
import { percentile } from '../timing.ts';
import { timeAsProcess } from './cold-processes.ts';

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
    const server = await startServe(home, '--no-worker');
    try {
      return [
        await timeAsProcess(
          home,
          'search by keyword, answered by serve',
          ['search', QUERY, '--mode', 'keyword'],
          3,
        ),
        await timeAsProcess(
          home,
          'search by words and meaning, answered by serve',
          ['search', QUERY, '--mode', 'hybrid'],
          4.5,
        ),
      ];
    } finally {
      await server.stop();
    }
  },
};

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
    const server = await startServe(home);
    try {
      const rows: Row[] = [];
      const transcripts = readdirSync(codexHome, { recursive: true, encoding: 'utf8' }).filter(isTranscript);
      const share = Math.ceil(transcripts.length / LOADS.length);
      for (const [what, path, ask] of LOADS) {
        const before = residentMemory(server);
        const [load] = await Promise.all([
          askFor(LOAD_MS, server, path, (index) => ask(texts[index % texts.length] ?? '')),
          copyEvenly(transcripts.splice(0, share), codexHome, codex),
        ]);
        rows.push(
          { ...row(what, load.perSecond, '/s'), target: { of: 'measured', least: 200 } },
          { ...row('… refused or failed', load.failed, 'requests'), target: { of: 'measured', most: 0 } },
          row('… p95', load.p95, 'ms'),
          row('… memory, more than before', residentMemory(server) - before, 'MB'),
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

/** In MB. */
function residentMemory({ process: { pid } }: RunningServer): number {
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
  server: RunningServer,
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
function ask({ port, token }: RunningServer, agent: Agent, path: string, body?: string): Promise<number> {
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
