import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Bench, Row } from '../bench.ts';
import { type Home, makeHome, timeCli } from '../processes.ts';

const SAMPLES = resolve('examples', 'claude');
const MOST_QUERIES = 60;
const QUERIES = resolve('examples', 'queries.jsonl');

export const mcpTokens: Bench = {
  name: 'mcp-tokens',
  describe: 'tokens of fork_detect’s answers, and the size of the list of tools',
  async run({ scratch, claudeHome, codexHome, queries }) {
    const isSample = claudeHome === null || resolve(claudeHome) === SAMPLES;
    const claude = isSample ? samplesHere(scratch) : claudeHome;
    const home = makeHome(scratch, { claude, codex: codexHome });
    home.env.PATH = `${agentsHere(scratch)}:${home.env.PATH}`;
    timeCli(home, 'index', '--no-embed', '--json');
    const intents = readFileSync(queries ?? QUERIES, 'utf8')
      .trim()
      .split('\n')
      .slice(0, MOST_QUERIES)
      .map((line) => JSON.parse(line) as { query?: string; subject?: string })
      .map(({ query, subject }) => query ?? subject ?? '');
    const client = await connect(home);
    try {
      const found = await tokensOf(client, intents, {});
      const chosen = await tokensOf(client, intents, { fork_index: 1 });
      return [
        ...rowsOf('fork_detect, five results', found, 900),
        ...rowsOf('fork_detect, after a choice', chosen, 250),
        ...(await sizesOf(client)),
      ];
    } finally {
      await client.close();
    }
  },
};

/** The sample sessions, as if their projects were on this machine. */
function samplesHere(folder: string): string {
  const claude = join(folder, 'claude');
  for (const path of readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })) {
    if (!/^projects[\\/][^\\/]+[\\/][^\\/]+\.jsonl$/.test(path)) continue;
    const text = readFileSync(join(SAMPLES, path), 'utf8').replaceAll('/home/sam/code', join(folder, 'code'));
    const { cwd } = JSON.parse(text.split('\n').find((line) => line.includes('"cwd"')) ?? '{}');
    if (typeof cwd !== 'string') continue;
    if (cwd.startsWith(folder)) mkdirSync(cwd, { recursive: true });
    // As Claude Code names the folder of a project.
    const project = join(claude, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, basename(path)), text);
  }
  return claude;
}

/** A folder with programs called like the agents'. */
function agentsHere(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['claude', 'codex']) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
  return bin;
}

async function connect({ env }: Home): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('dist', 'cli', 'main.js'), 'mcp'],
      env,
      stderr: 'ignore',
    }),
  );
  return client;
}

/** Of both forms of each answer: clients hand either to their model. */
async function tokensOf(client: Client, intents: string[], more: object): Promise<number[]> {
  const tokens: number[] = [];
  for (const intent of intents) {
    const { content, structuredContent, isError } = await client.callTool({
      name: 'fork_detect',
      arguments: { intent, limit: 5, ...more },
    });
    if (isError === true) throw new Error(`fork_detect failed for ${intent}`);
    const [text] = content as { text: string }[];
    tokens.push(countTokens(text?.text ?? '') + countTokens(JSON.stringify(structuredContent)));
  }
  return tokens.sort((a, b) => a - b);
}

function rowsOf(what: string, tokens: number[], most: number): Row[] {
  return [0.5, 1].map((share) => ({
    what: `${what}, ${share === 1 ? 'largest' : 'median'}`,
    measured: { value: tokens[Math.ceil(tokens.length * share) - 1] ?? 0, unit: 'tokens' },
    floor: null,
    target: { of: 'measured', most },
  }));
}

async function sizesOf(client: Client): Promise<Row[]> {
  const { tools } = await client.listTools();
  const bytes = (parts: unknown[]) =>
    parts.reduce((sum: number, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0) / 1000;
  const row = (what: string, value: number): Row => ({
    what,
    measured: { value, unit: 'kB' },
    floor: null,
    target: { of: 'measured', most: 12 },
  });
  return [
    row(
      'tools/list, descriptions and inputs',
      bytes(tools.flatMap(({ description, inputSchema }) => [description, inputSchema])),
    ),
    row('tools/list, outputs', bytes(tools.map(({ outputSchema }) => outputSchema))),
  ];
}
