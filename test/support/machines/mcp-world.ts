import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type {
  jsonSchemaValidator as JsonSchemas,
  JsonSchemaType,
  JsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/index.js';
import { runProgram } from './run-program.ts';
import { startServe } from './start-serve.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
export const CLI = join(REPOSITORY, 'dist', 'cli', 'main.js');
/** Sample sessions: the dashboard's token cards, its login, and the newest one. */
export const CARDS = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';
export const LOGIN = '0463bb87-fc1b-44e9-8554-fe6531d17ca6';

export interface Connection {
  client: Client;
  pid: number;
  /** The server's output outside the protocol. */
  log(): string;
  /** `meta`: what the client says about the call, in `_meta`. */
  call(name: string, args?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

export interface ToolAnswer {
  isError: boolean;
  text: string;
  // Each tool has its own answer type.
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it by name.
  structured: any;
  error: { code: string; message: string; hint?: string } | undefined;
}

export interface World {
  folder: string;
  project: string;
  env: Record<string, string>;
  /** Writes a transcript of Claude Code and returns its path. */
  transcript(sessionId: string, lines: string[]): string;
  run(...words: string[]): Promise<string>;
  connect(options?: {
    env?: Record<string, string>;
    capabilities?: ClientCapabilities;
    cwd?: string;
    args?: string[];
  }): Promise<Connection>;
  remove(): void;
}

/** A temporary home with a copy of the sample sessions, not indexed. */
export function createWorld({ samples = true } = {}): World {
  if (!existsSync(CLI)) throw new Error('The CLI is not built: npm run build');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-mcp-')));
  const project = join(folder, 'project');
  const claude = join(folder, '.claude');
  mkdirSync(project);
  mkdirSync(join(claude, 'projects'), { recursive: true });
  if (samples) cpSync(join(REPOSITORY, 'examples', 'claude'), claude, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    CLAUDE_CONFIG_DIR: claude,
    CODEX_HOME: join(folder, '.codex'),
    SMART_FORK_HOME: join(folder, '.smart-fork'),
  };
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runProgram(words, { cwd: project, env });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  return {
    folder,
    project,
    env,
    run,
    transcript(sessionId, lines) {
      const path = join(claude, 'projects', '-project', `${sessionId}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${lines.join('\n')}\n`);
      return path;
    },
    connect: (options = {}) => connect({ ...env, ...options.env }, options.cwd ?? project, options),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Set by a file that runs a suite over HTTP. */
export function isOverHttp(): boolean {
  return process.env.SMART_FORK_TEST_MCP === 'http';
}

export async function connect(
  env: Record<string, string>,
  cwd: string,
  options: { capabilities?: ClientCapabilities; args?: string[]; program?: string },
): Promise<Connection> {
  if (isOverHttp()) return connectOverHttp(env, cwd, options.capabilities ?? {});
  const client = clientWith(options.capabilities ?? {});
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [options.program ?? CLI, 'mcp', ...(options.args ?? [])],
    env,
    cwd,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr?.on('data', (part) => {
    log += part;
  });
  await client.connect(transport);
  // The client validates structured answers once it knows the output schemas.
  await client.listTools();
  return {
    client,
    pid: transport.pid ?? 0,
    log: () => log,
    call: callOf(client),
    close: () => client.close(),
  };
}

/** Shared by all clients, because compiling the answers' schemas takes longer than a call. */
function clientWith(capabilities: ClientCapabilities): Client {
  return new Client({ name: 'test', version: '1' }, { capabilities, jsonSchemaValidator });
}

const ajv = new AjvJsonSchemaValidator();
const compiled = new Map<string, JsonSchemaValidator<unknown>>();
const jsonSchemaValidator: JsonSchemas = {
  getValidator<T>(schema: JsonSchemaType) {
    const key = JSON.stringify(schema);
    const validator = compiled.get(key) ?? ajv.getValidator<unknown>(schema);
    compiled.set(key, validator);
    return validator as JsonSchemaValidator<T>;
  },
};

/** Every connection gets its own server, with its own environment. */
async function connectOverHttp(
  env: Record<string, string>,
  cwd: string,
  capabilities: ClientCapabilities,
): Promise<Connection> {
  const home = env.SMART_FORK_HOME ?? '';
  rmSync(join(home, 'serve.json'), { force: true });
  const server = await startServe({ env, cwd }, '--no-worker');
  const client = clientWith(capabilities);
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  await client.listTools();
  return {
    client,
    pid: server.process.pid ?? 0,
    log: server.log,
    call: callOf(client),
    async close() {
      await client.close();
      await server.stop('SIGTERM');
    },
  };
}

function callOf(client: Client): Connection['call'] {
  return async (name, args = {}, meta = {}) =>
    toAnswer((await client.callTool({ name, arguments: args, _meta: meta })) as CallToolResult);
}

export function toAnswer(result: CallToolResult): ToolAnswer {
  const first = result.content[0];
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    structured: result.structuredContent,
    error: result._meta?.['smart-fork/error'] as ToolAnswer['error'],
  };
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1];
  return Number(pages) * 4096;
}

/** Transcript lines, as Claude Code writes them. */
export function claudeLines(
  sessionId: string,
  cwd: string,
  messages: { user?: string; assistant?: string }[],
): string[] {
  return messages.map(({ user, assistant }, index) => {
    const content = user ?? [{ type: 'text', text: assistant ?? '' }];
    const role = user === undefined ? 'assistant' : 'user';
    return JSON.stringify({
      parentUuid: index === 0 ? null : uuid(index - 1),
      isSidechain: false,
      type: role,
      message: { role, content },
      uuid: uuid(index),
      timestamp: new Date(Date.UTC(2026, 5, 1, 12, index)).toISOString(),
      cwd,
      sessionId,
      version: '2.1.329',
      gitBranch: 'main',
    });
  });

  function uuid(index: number): string {
    return `${sessionId.slice(0, 8)}-0000-4000-8000-${String(index).padStart(12, '0')}`;
  }
}
