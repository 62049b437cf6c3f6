import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import * as z from 'zod';
import { SmartForkError } from '../../domain/errors.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { LanguageModel, ModelAnswer, ModelRequest } from '../../ports/extractor/language-model.ts';
import { parseJson } from '../jsonl/read-value.ts';

interface AgentOptions {
  agent: Agent;
  /** Absolute path; null if not installed. */
  program: string | null;
  /** Null: the agent's default. */
  model: string | null;
  /** An empty folder of ours, in which the agent finds no project. */
  folder: string;
  env: Record<string, string | undefined>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 180_000;
const MAX_BYTES = 4 * 1024 * 1024;
const LONGEST_REASON = 300;

/**
 * Runs Claude Code or Codex once per question: without tools that act, without hooks, MCP servers and project settings, and without
 * saving a session, so that nothing of it is indexed.
 */
export function createAgentModel(options: AgentOptions): LanguageModel {
  const { agent, model } = options;
  const name = agent === 'claude' ? 'Claude Code' : 'Codex';
  const { argsFor, inputFor, read } = agent === 'claude' ? CLAUDE : CODEX;
  const failed = (reason: string) =>
    new SmartForkError('MODEL_UNAVAILABLE', `cannot run ${name}: ${reason}`, {
      hint: `Check that ${agent} runs and is logged in, and memory.model (smart-fork config list).`,
    });
  return {
    name: model === null ? name : `${model} of ${name}`,
    async ask(request, signal) {
      if (options.program === null) throw failed(`${agent} is not on the PATH`);
      // Only a shell can start these, and no Windows shell accepts multi-line instructions.
      if (/\.(?:cmd|bat)$/i.test(options.program))
        throw failed(`${options.program} is a script; install ${name} as a program`);
      const ran = await run(options, argsFor(model, request), inputFor(request), signal);
      const answer = read(ran.out);
      if (answer !== null && ran.problem === null) return answer;
      signal?.throwIfAborted();
      throw failed((ran.problem ?? 'its answer cannot be read').slice(0, LONGEST_REASON));
    },
  };
}

interface Dialect {
  argsFor(model: string | null, request: ModelRequest): string[];
  inputFor(request: ModelRequest): string;
  read(out: string): ModelAnswer | null;
}

const claudeResult = z.object({
  type: z.literal('result'),
  is_error: z.literal(false),
  result: z.string(),
  usage: z.record(z.string(), z.unknown()).nullish(),
});

const CLAUDE: Dialect = {
  // Safe mode turns off hooks, plugins, CLAUDE.md and MCP servers, but keeps the login.
  argsFor: (model, { instructions }) => [
    ...['-p', '--safe-mode', '--no-session-persistence', '--strict-mcp-config'],
    ...['--tools', '', '--output-format', 'json', '--system-prompt', instructions],
    ...(model === null ? [] : ['--model', model]),
  ],
  inputFor: ({ text }) => text,
  read(out) {
    const { data } = claudeResult.safeParse(parseJson(out));
    if (data === undefined) return null;
    return { text: data.result, tokens: data.usage ? tokensOf(data.usage) : null };
  },
};

const codexEvent = z.object({
  type: z.string(),
  item: z.object({ type: z.string(), text: z.string().optional() }).optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
});

/** Tools that act, read files or start other programs. Web search has a setting of its own. */
const CODEX_TOOLS = [
  'shell_tool',
  'unified_exec',
  'view_image',
  'hooks',
  'plugins',
  'apps',
  'multi_agent',
  'goals',
];

const CODEX: Dialect = {
  // Without its config.toml, no MCP server is started and no hook is trusted.
  argsFor: (model) => [
    ...['exec', '--ephemeral', '--ignore-user-config', '--ignore-rules', '--skip-git-repo-check'],
    ...['--sandbox', 'read-only', '--json', '--color', 'never', '-c', 'web_search="disabled"'],
    ...CODEX_TOOLS.flatMap((tool) => ['--disable', tool]),
    ...(model === null ? [] : ['--model', model]),
    '-',
  ],
  inputFor: ({ instructions, text }) => `${instructions}\n\nThe session:\n\n${text}`,
  read(out) {
    const events = out.split('\n').flatMap((line) => codexEvent.safeParse(parseJson(line)).data ?? []);
    const said = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text;
    const usage = events.findLast((event) => event.usage !== undefined)?.usage;
    return said === undefined ? null : { text: said, tokens: usage ? tokensOf(usage) : null };
  },
};

/** Codex's input tokens include `cached_input_tokens`; Claude's do not include its caches. */
function tokensOf(usage: Record<string, unknown>): number {
  const counted = ['input_tokens', 'output_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  return counted.reduce((sum, name) => sum + (Number(usage[name]) || 0), 0);
}

function run(
  { program, folder, env, timeoutMs = TIMEOUT_MS }: AgentOptions,
  args: string[],
  input: string,
  signal: AbortSignal | undefined,
): Promise<{ out: string; problem: string | null }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      env,
      timeout: timeoutMs,
      maxBuffer: MAX_BYTES,
      killSignal: 'SIGKILL' as const,
      windowsHide: true,
      signal,
    };
    const child = execFile(program ?? '', args, options, (error, out, err) => {
      if (error === null) return resolve({ out, problem: null });
      const said = reasonIn(out) ?? err.trim().split('\n').at(-1);
      resolve({
        out,
        problem: error.killed === true ? 'it did not answer in time' : said || `it exited with ${error.code}`,
      });
    });
    // A program that exits at once does not read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Claude Code reports errors in its result. */
function reasonIn(out: string): string | null {
  const { data } = z.object({ result: z.string() }).safeParse(parseJson(out));
  return data?.result ?? null;
}
