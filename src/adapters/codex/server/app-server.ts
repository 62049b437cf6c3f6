import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { programCall } from '../../../domain/machine/shell.ts';

export interface CodexProgram {
  /** Null if Codex is not installed. */
  program: string | null;
  env: Record<string, string | undefined>;
}

/** Sends a request and resolves to its result. */
export type Ask = (method: string, params: object) => Promise<unknown>;
/** Resolves to the parameters of the next notification with this name. */
export type Hear = (method: string) => Promise<unknown>;

/** Loading a large session takes seconds. */
const TIMEOUT_MS = 60_000;
const CLOSING_MS = 2000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Runs `work` with Codex's app server, which speaks JSON-RPC with one message per line and needs no login and no network.
 * @throws SmartForkError USAGE if Codex is missing, has no such server, refuses a request or does not answer
 */
export async function withAppServer<T>(
  { program: path, env }: CodexProgram,
  home: string,
  work: (ask: Ask, hear: Hear) => Promise<T>,
): Promise<T> {
  if (path === null) throw refused('codex is not on PATH');
  // In the user's own folder, because a repository may contain settings for Codex.
  const { program, words, shell } = programCall(path, ['app-server']);
  const options = { env: { ...env, CODEX_HOME: home }, cwd: home, shell, windowsHide: true };
  const child = spawn(program, words, options);
  try {
    const { ask, hear, tell } = connect(child);
    await ask('initialize', { clientInfo: { name: 'smart-fork', title: 'smart-fork', version: '1' } });
    tell({ method: 'initialized' });
    return await work(ask, hear);
  } finally {
    await end(child);
  }
}

const answerSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

interface Connection {
  ask: Ask;
  hear: Hear;
  tell(message: object): void;
}

function connect(child: ChildProcessWithoutNullStreams): Connection {
  const waiting = new Map<number | string, { resolve(result: unknown): void; reject(error: Error): void }>();
  let last = 0;
  let received = 0;
  const fail = (reason: string) => {
    for (const { reject } of waiting.values()) reject(refused(reason));
    waiting.clear();
  };
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => fail(errorText(error)));
  child.on('close', () => fail('its app server exited'));
  child.stdout.on('data', (part: Buffer) => {
    received += part.length;
    if (received > MAX_BYTES) fail(`its answer is longer than ${MAX_BYTES} bytes`);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = parse(line);
    const key = answer?.id ?? answer?.method;
    const one = key === undefined ? undefined : waiting.get(key);
    if (answer === null || key === undefined || one === undefined) return;
    waiting.delete(key);
    if (answer.error === undefined) one.resolve(answer.id === undefined ? answer.params : answer.result);
    else one.reject(refused(answer.error.message));
  });
  const timer = setTimeout(() => fail(`no answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
  child.on('close', () => clearTimeout(timer));
  const tell = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      tell({ id: last, method, params });
    });
  const hear: Hear = (method) => new Promise((resolve, reject) => waiting.set(method, { resolve, reject }));
  return { ask, hear, tell };
}

function parse(line: string): z.infer<typeof answerSchema> | null {
  try {
    return answerSchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    // Not a message.
    return null;
  }
}

/** Closes the server's input, so that it can finish writing. */
async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  child.stdin.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), CLOSING_MS);
  await once(child, 'close');
  clearTimeout(timer);
}

/** @throws SmartForkError USAGE if another version of Codex answers in another shape */
export function inShape<T>(schema: z.ZodType<T>, method: string, answer: unknown): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw refused(`its answer to ${method} has another shape${place === '' ? '' : `, at ${place}`}`);
}

export function refused(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `codex cannot make this fork: ${reason}`, {
    hint: 'Update Codex (npm install -g @openai/codex@latest), or fork the whole session: leave out --at.',
  });
}
