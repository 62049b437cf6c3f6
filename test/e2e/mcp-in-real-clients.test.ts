import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startAppServer } from '../support/agents/codex-app-server.ts';
import { CLI } from '../support/machines/mcp-world.ts';

const claude = findProgram('SMART_FORK_TEST_CLAUDE', 'claude');
const codex = findProgram('SMART_FORK_TEST_CODEX', 'codex');
if (claude === null) console.log('skipped: Claude Code is not here (SMART_FORK_TEST_CLAUDE=/path/to/claude)');
if (codex === null) console.log('skipped: Codex is not here (SMART_FORK_TEST_CODEX=/path/to/codex)');

const TOOLS = [
  'find_lost',
  'fork_detect',
  'get_session',
  'get_session_context',
  'index_session',
  'list_open',
  'list_sessions',
  'list_topics',
  'recall',
  'remember',
  'session_stats',
  'tag_session',
  'timeline',
];
const SKILLS = [
  ...['fork-detect', 'fork-session', 'memory-backfill', 'memory-stats', 'memory-topics', 'reindex'],
  ...['remember', 'session-stats', 'smart-fork'],
].map((name) => `smart-fork:${name}`);

const folder = mkdtempSync(join(tmpdir(), 'smart-fork-clients-'));
const plugin = join(folder, 'plugin');
const project = join(folder, 'project');
const bin = join(folder, 'bin');
const env = {
  PATH: bin + delimiter + (process.env.PATH ?? ''),
  HOME: folder,
  CLAUDE_CONFIG_DIR: join(folder, '.claude'),
  CODEX_HOME: join(folder, '.codex'),
};
mkdirSync(env.CODEX_HOME);
mkdirSync(project);
// A marketplace clone is neither built nor installed; the command line is installed separately.
for (const part of ['.claude-plugin', 'plugin', 'src', 'package.json', 'package-lock.json'])
  cpSync(part, join(plugin, part), { recursive: true });
mkdirSync(bin);
writeFileSync(join(bin, 'smart-fork'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`, {
  mode: 0o755,
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(claude === null)('smart-fork in Claude Code', () => {
  const run = (...words: string[]) => runProgram(claude ?? '', words);

  it('accepts the plugin and its skills as valid', () => {
    expect(run('plugin', 'validate', join(plugin, 'plugin'), '--strict')).toContain('Validation passed');
  });

  it('connects Claude Code to the server', () => {
    run('mcp', 'add', 'smart-fork', '--', process.execPath, CLI, 'mcp');
    expect(run('mcp', 'get', 'smart-fork')).toContain('Connected');
  }, 60_000);

  it('connects Claude Code to the plugin’s server, and lists the skills', () => {
    run('plugin', 'marketplace', 'add', plugin);
    const began = performance.now();
    run('plugin', 'install', 'smart-fork@smart-fork');
    expect(performance.now() - began).toBeLessThan(5000);
    expect(existsSync(join(env.CLAUDE_CONFIG_DIR, 'plugins/cache/smart-fork/smart-fork/0.1.0/src'))).toBe(
      false,
    );
    expect(run('mcp', 'list')).toMatch(/plugin:smart-fork:smart-fork: .*Connected/);
    const told = run('-p', '/fork-session 8402b1ed', '--output-format', 'stream-json', '--verbose');
    const first = told.split('\n').find((line) => line.includes('"subtype":"init"')) ?? '{}';
    const { skills, mcp_servers } = JSON.parse(first) as {
      skills: string[];
      mcp_servers: { name: string }[];
    };
    expect(skills.filter((name) => name.startsWith('smart-fork:')).sort()).toEqual(SKILLS);
    expect(mcp_servers.map(({ name }) => name)).toContain('plugin:smart-fork:smart-fork');
  }, 90_000);

  it('allows the bare command of a skill in Claude Code', () => {
    const transcripts = spawnSync('find', [join(env.CLAUDE_CONFIG_DIR, 'projects'), '-name', '*.jsonl'], {
      encoding: 'utf8',
    });
    const texts = transcripts.stdout
      .trim()
      .split('\n')
      .map((path) => readFileSync(path, 'utf8'));
    expect(texts.some((text) => text.includes('<command-name>/smart-fork:fork-session</command-name>'))).toBe(
      true,
    );
  });
});

describe.skipIf(codex === null)('smart-fork in Codex', () => {
  const run = (...words: string[]) => runProgram(codex ?? '', words);

  it('lists the server’s tools in Codex, and calls one', async () => {
    run('mcp', 'add', 'smart-fork', '--', process.execPath, CLI, 'mcp');
    const server = await startAppServer(codex ?? '', env, project);
    expect(await toolsOf(server)).toEqual(TOOLS);
    const thread = (await server.request('thread/start', { cwd: project })).thread as { id: string };
    const call = {
      threadId: thread.id,
      server: 'smart-fork',
      tool: 'fork_detect',
      arguments: { intent: 'anything' },
    };
    const answer = await server.request('mcpServer/tool/call', call);
    expect(answer.structuredContent).toMatchObject({ error: 'not_indexed', results: [] });
    server.close();
    run('mcp', 'remove', 'smart-fork');
  }, 60_000);

  it('installs the plugin in Codex with its server and skills', async () => {
    run('plugin', 'marketplace', 'add', plugin);
    run('plugin', 'add', 'smart-fork@smart-fork');
    const server = await startAppServer(codex ?? '', env, project);
    expect(await toolsOf(server)).toEqual(TOOLS);
    const { data } = (await server.request('skills/list', { cwds: [project] })) as {
      data: { skills: { name: string }[]; errors: unknown[] }[];
    };
    const names = data.flatMap(({ skills }) => skills.map(({ name }) => name));
    expect(names.filter((name) => name.startsWith('smart-fork:')).sort()).toEqual(SKILLS);
    expect(data.flatMap(({ errors }) => errors)).toEqual([]);
    server.close();
  }, 120_000);
});

async function toolsOf(server: Awaited<ReturnType<typeof startAppServer>>): Promise<string[]> {
  const { data } = (await server.request('mcpServerStatus/list', {})) as {
    data: { name: string; tools: Record<string, unknown> }[];
  };
  return Object.keys(data.find(({ name }) => name === 'smart-fork')?.tools ?? {}).sort();
}

function runProgram(program: string, words: string[]): string {
  const { stdout, stderr } = spawnSync(program, words, {
    env,
    cwd: project,
    encoding: 'utf8',
    timeout: 60_000,
  });
  return `${stdout}${stderr}`;
}

function findProgram(variable: string, name: string): string | null {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return resolve(given);
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((one) => join(one, name)).find((path) => existsSync(path)) ?? null;
}
