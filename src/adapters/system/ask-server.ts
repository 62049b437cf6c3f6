import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { ServerEntry } from '../../domain/machine/agent-hooks.ts';
import type { ServerAnswer } from '../../ports/agent-settings.ts';
import { megabytes } from '../http/read-limited.ts';

/** Less than MCP clients allow, which is 30 seconds for a server to start. */
const TIMEOUT_MS = 20_000;
/** The answer to `initialize` has a few KB. */
const MAX_BYTES = 1024 * 1024;
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'smart-fork-doctor', version: '1' },
  },
};
const answerSchema = z.object({
  id: z.literal(1),
  result: z.object({ serverInfo: z.object({ name: z.string(), version: z.string() }) }),
});

/** Starts an MCP server on pipes and returns its answer to `initialize`. */
export async function askServer(
  { command, args }: ServerEntry,
  env: Record<string, string | undefined>,
): Promise<ServerAnswer> {
  const started = performance.now();
  const child = spawn(command, args, { env, windowsHide: true });
  try {
    return await answerOf(child, started);
  } finally {
    child.stdin.end();
    child.kill();
  }
}

function answerOf(child: ChildProcessWithoutNullStreams, started: number): Promise<ServerAnswer> {
  return new Promise((resolve) => {
    let stderr = '';
    const fail = (reason: string) => {
      clearTimeout(timer);
      resolve({ ok: false, reason: stderr === '' ? reason : `${reason}: ${stderr}` });
    };
    const timer = setTimeout(() => fail(`no answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code) => fail(code === null ? 'it was killed' : `it exited with code ${code}`));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).trim().slice(0, 300);
    });
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) return;
      child.kill('SIGKILL');
      fail(`it wrote more than ${megabytes(MAX_BYTES)} before its answer`);
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = parseAnswer(line);
      if (answer === null) return;
      clearTimeout(timer);
      resolve({ ok: true, ...answer, ms: performance.now() - started });
    });
    // The exit event reports a server that has already ended.
    child.stdin.on('error', () => undefined).write(`${JSON.stringify(INITIALIZE)}\n`);
  });
}

function parseAnswer(line: string): { name: string; version: string } | null {
  try {
    const found = answerSchema.safeParse(JSON.parse(line));
    return found.success ? found.data.result.serverInfo : null;
  } catch {
    // Not a message: some programs print other text first.
    return null;
  }
}
