import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const REPOSITORY = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'build.js',
  'build',
  'src',
  'runtime',
  'plugin',
  'examples',
];

const PATIENCE = { timeout: 50_000, interval: 50 };
const NOT_INDEXED = 'nothing is indexed on this machine yet';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-plugin-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the plugin', () => {
  it('ships the plugin as a small folder without packages', () => {
    expect(existsSync('plugin/package.json')).toBe(false);
    const files = readdirSync('plugin', { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.length).toBeLessThan(25);
  });

  it('answers at once while the plugin prepares its program, says what it is doing, and then works', async () => {
    const plugin = installed({ clone: copyRepository() });
    const programs = join(folder, '.smart-fork', 'program');
    const client = await connect([plugin], { PATH: pathWithNpm() });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('fork_detect');
    expect(await listSessions(client)).toMatch(
      /^smart-fork is being set up, .*(?:installing|building|removing).* \(for \d+ s now/,
    );
    await vi.waitFor(async () => expect(await listSessions(client)).toContain(NOT_INDEXED), PATIENCE);
    await client.close();
    // The next server and the hook find the program; nothing is built again.
    const [name = ''] = readdirSync(programs).filter((one) => one.startsWith('0.1.0'));
    expect(readdirSync(join(programs, name)).sort()).toEqual([
      'dist',
      'examples',
      'node_modules',
      'package.json',
      'plugin',
      'runtime',
    ]);
    const again = await connect([plugin], { PATH: withoutSmartFork() });
    expect(await listSessions(again)).toContain(NOT_INDEXED);
    await again.close();
    hook(plugin);
    expect(readdirSync(join(folder, '.smart-fork', 'spool')).length).toBeGreaterThan(0);
  });

  it('says how to install smart-fork if the plugin cannot prepare it', async () => {
    const clone = copyRepository();
    const plugin = installed({ clone });
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho no network >&2\nexit 7\n', { mode: 0o755 });
    const client = await connect([plugin], { PATH: `${bin}:${withoutSmartFork()}` });
    await vi.waitFor(async () => expect(await listSessions(client)).toContain('could not'), PATIENCE);
    expect(await listSessions(client)).toContain('prepare.log. To install it manually');
    expect(await listSessions(client)).toContain(`npm install -g ${clone}`);
    await client.close();
  });

  it('uses the smart-fork on the PATH, and lets Codex find its clone', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    symlinkSync(resolve('dist', 'bin.cjs'), join(bin, 'smart-fork'));
    const plugin = installed({ clone: '/nowhere' });
    const client = await connect([plugin], { PATH: `${bin}:${withoutSmartFork()}` });
    expect(await listSessions(client)).toContain(NOT_INDEXED);
    await client.close();
    const codex = join(folder, '.codex');
    mkdirSync(codex, { recursive: true });
    writeFileSync(
      join(codex, 'config.toml'),
      `model = "gpt"\n\n[marketplaces.smart-fork]\nsource_type = "local"\nsource = ${JSON.stringify(resolve('.'))}\n`,
    );
    const other = await connect([installed({ home: codex })], { PATH: withoutSmartFork() });
    expect(await listSessions(other)).toContain(NOT_INDEXED);
    await other.close();
    expect(existsSync(join(folder, '.smart-fork', 'program'))).toBe(false);
  });
});

/** A copy of the plugin at the place where an agent installs it; returns its server. */
function installed({ home = join(folder, '.claude'), clone }: { home?: string; clone?: string }): string {
  const plugins = join(home, 'plugins');
  const copy = join(plugins, 'cache', 'smart-fork', 'smart-fork', '0.1.0');
  cpSync('plugin', copy, { recursive: true });
  if (clone !== undefined)
    writeFileSync(
      join(plugins, 'known_marketplaces.json'),
      JSON.stringify({ 'smart-fork': { installLocation: clone } }),
    );
  return join(copy, 'server', 'mcp.mjs');
}

/** A clone is neither built nor installed. */
function copyRepository(): string {
  const clone = join(folder, 'clone');
  for (const part of REPOSITORY) cpSync(part, join(clone, part), { recursive: true });
  return clone;
}

/** A PATH whose npm needs no registry. */
function pathWithNpm(): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = resolve('test', 'support', 'agents', 'fake-npm.cjs');
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nREPOSITORY='${resolve('.')}' exec node '${program}' "$@"\n`, {
    mode: 0o755,
  });
  return `${bin}:${withoutSmartFork()}`;
}

function withoutSmartFork(): string {
  return `${dirname(process.execPath)}:/usr/bin:/bin`;
}

async function connect(args: string[], env: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: folder,
    env: environment(env),
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: folder, CLAUDE_CONFIG_DIR: join(folder, '.claude'), ...more };
}

function hook(server: string): void {
  const program = join(dirname(server), 'hook.cjs');
  const input = {
    session_id: '0463bb87-fc1b-44e9-8554-fe6531d17ca6',
    transcript_path: join(folder, 'x.jsonl'),
    cwd: folder,
    hook_event_name: 'Stop',
  };
  mkdirSync(join(folder, '.smart-fork', 'spool'), { recursive: true });
  // The hook takes this test process for the worker, so it does not start one.
  writeFileSync(join(folder, '.smart-fork', 'worker.json'), JSON.stringify({ pid: process.pid }));
  const out = execFileSync(process.execPath, [program, 'stop'], {
    env: environment({ PATH: withoutSmartFork() }),
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(out).toBe('');
}

async function listSessions(client: Client): Promise<string> {
  const { content } = (await client.callTool({ name: 'list_sessions', arguments: {} })) as CallToolResult;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
