// Measures the MCP server over stdio, as clients start it. Needs the build and an index.
//   CLAUDE_CONFIG_DIR=… CODEX_HOME=… SMART_FORK_HOME=… [SMART_FORK_MODEL_DIR=…] node test/bench/mcp.js
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const QUERIES = fileURLToPath(new URL('../../examples/queries.jsonl', import.meta.url));
const STARTS = 9;
const ROUNDS = 10;

const intents = readFileSync(QUERIES, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).query);
const starts = await times(STARTS, start);
const nothing = await times(STARTS, startNothing);
const { first, second, warm, context, mode } = await search();
console.log(`cores ${cpus().length}, Node ${process.version}, mode ${mode}`);
report('node -e 0', nothing);
report('start until initialized', starts);
console.log(
  `first fork_detect (loads store and model) ${first.toFixed(0)} ms, second ${second.toFixed(0)} ms`,
);
report('warm fork_detect', warm);
report('get_session_context', context);

async function times(count, work) {
  const taken = [];
  for (let n = 0; n < count; n += 1) taken.push(await work());
  return taken;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function startNothing() {
  return timed(() => new Promise((resolve) => spawn(process.execPath, ['-e', '0']).on('close', resolve)));
}

async function start() {
  const client = new Client({ name: 'bench', version: '1' });
  const taken = await timed(() => client.connect(transport()));
  await client.close();
  return taken;
}

async function search() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport());
  const detect = (intent) => client.callTool({ name: 'fork_detect', arguments: { intent } });
  const first = await timed(() => detect(intents[0]));
  const second = await timed(() => detect(intents[1]));
  const warm = [];
  const context = [];
  let answer;
  for (let n = 0; n < ROUNDS; n += 1) {
    for (const intent of intents) {
      warm.push(
        await timed(async () => {
          answer = (await detect(intent)).structuredContent;
        }),
      );
    }
    const [result] = answer.results;
    if (result === undefined) continue;
    const call = {
      name: 'get_session_context',
      arguments: { session_id: result.session_id, query: answer.query },
    };
    context.push(await timed(() => client.callTool(call)));
  }
  await client.close();
  return { first, second, warm, context, mode: answer.mode };
}

function transport() {
  return new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    env: process.env,
    stderr: 'inherit',
  });
}

function report(name, taken) {
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  console.log(`${name} (${sorted.length}): p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, fastest ${at(0)} ms`);
}
