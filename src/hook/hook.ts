import { fstatSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { writeJobFile } from '../adapters/spool/write-job-file.ts';
import { startWorker } from '../adapters/system/start-worker.ts';
import { type HookInput, parseHookInput } from './parse-input.ts';
import { readBounded, type Stdin } from './read-bounded.ts';

export interface HookOptions {
  env: Record<string, string | undefined>;
  /** A function, because merely looking at a broken `process.stdin` throws. */
  stdin: () => Stdin;
  /** The program and the arguments that start the worker. */
  worker: string[];
  /** Smart-fork's folder; SMART_FORK_HOME or `~/.smart-fork` unless given. */
  home?: string;
}

/**
 * What an agent's hook runs: notes which transcript to look at, sees to it that a worker is running, and is gone. Whatever
 * is broken, it prints nothing and throws nothing, since an agent would show that to its user or to its model. It opens
 * no database and imports nothing but Node's own modules: every answer of an agent waits for it.
 */
export async function runHook(event: string | undefined, options: HookOptions): Promise<void> {
  const input = parseHookInput(await readBounded(options.stdin), event);
  leaveJob(input, options);
}

/**
 * The hook of `smart-fork index --repo …`: answers false, and has done nothing, when stdin holds no hook's input after all.
 * Ask `looksLikeHook` first: this reads stdin.
 */
export async function runIndexHook(options: HookOptions): Promise<boolean> {
  const input = parseHookInput(await readBounded(options.stdin), undefined);
  if (!input.fromHook) return false;
  leaveJob(input, options);
  return true;
}

/** Whether `smart-fork index --repo …` may have been started by a hook: something is piped into it. Reads nothing. */
export function looksLikeHook(args: readonly string[]): boolean {
  if (args[0] !== 'index' || !args.some((arg) => arg === '--repo' || arg.startsWith('--repo='))) return false;
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket() || (stdin.isFile() && stdin.size > 0);
  } catch {
    // No stdin at all: not a hook.
    return false;
  }
}

function leaveJob(input: HookInput, options: HookOptions): void {
  // A session that smart-fork itself started is not the user's work.
  if (options.env.SMART_FORK_CHILD === '1') return;
  try {
    const home = resolve(options.home ?? (options.env.SMART_FORK_HOME || join(userHome(), '.smart-fork')));
    writeJobFile(join(home, 'spool'), {
      event: input.event,
      transcriptPath: input.transcriptPath,
      sessionId: input.sessionId,
      at: new Date().toISOString(),
    });
    startWorker(home, options.worker, options.env);
  } catch {
    // Nobody is to be told here: the next worker that can run looks for changed transcripts by itself.
  }
}

/** `os.homedir()` answers what HOME says, be it empty: then it is the system's entry that counts, never this folder. */
function userHome(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
