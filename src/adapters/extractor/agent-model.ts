import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import * as z from 'zod';
import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { AgentDialect, LanguageModel } from '../../ports/extractor/language-model.ts';
import { parseJson } from '../jsonl/read-value.ts';

interface AgentOptions {
  agent: Agent;
  dialect: AgentDialect;
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
 * Runs an agent once per question: without tools that act, without hooks, MCP servers and project settings, and without
 * saving a session, so that nothing of it is indexed.
 */
export function createAgentModel(options: AgentOptions): LanguageModel {
  const { agent, model } = options;
  const { name } = AGENT_ROWS[agent];
  const { argsFor, inputFor, read } = options.dialect;
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
      if (answer !== null && ran.problem === null)
        return { text: answer.text, tokens: answer.usage && tokensOf(answer.usage) };
      signal?.throwIfAborted();
      throw failed((ran.problem ?? 'its answer cannot be read').slice(0, LONGEST_REASON));
    },
  };
}

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

/** Some agents report errors in their result. */
function reasonIn(out: string): string | null {
  const { data } = z.object({ result: z.string() }).safeParse(parseJson(out));
  return data?.result ?? null;
}
