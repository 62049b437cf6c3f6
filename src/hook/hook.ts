import { fstatSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { writeJobFile } from '../adapters/spool/write-job-file.ts';
import { readRegularText } from '../adapters/system/regular-file.ts';
import { startWorker } from '../adapters/system/start-worker.ts';
import { parseSettings } from '../domain/text/parse-settings.ts';
import { type HookInput, parseHookInput } from './parse-input.ts';
import { readBounded, type Stdin } from './read-bounded.ts';

export interface HookOptions {
  env: Record<string, string | undefined>;
  /** A function, because reading `process.stdin` throws if it is broken. */
  stdin: () => Stdin;
  /** The command that starts the worker. */
  worker: string[];
  /** Loads the module that suggests sessions. */
  suggest: () => Promise<Suggest>;
  /** smart-fork's folder; SMART_FORK_HOME or `~/.smart-fork` unless given. */
  home?: string;
}

/** What to tell the agent and its user, in the agent's format; null for nothing. */
export type Suggest = (input: HookInput, env: Record<string, string | undefined>) => Promise<string | null>;

/**
 * Runs an agent's hook: queues a job for the transcript and starts a worker unless one is running. It never throws. It prints only
 * suggestions, if the user wants them, because an agent would show anything else to its user or its model. It opens no database and
 * imports only Node's own modules, because every answer of an agent waits for it.
 */
export async function runHook(event: string | undefined, options: HookOptions): Promise<void> {
  const input = parseHookInput(await readBounded(options.stdin), event);
  leaveJob(input, options);
  await printSuggestion(input, options);
}

/**
 * Runs `smart-fork index --repo …` as a hook. Does nothing and returns false if stdin turns out to contain no hook input. It
 * consumes stdin, so ask `looksLikeHook` first.
 */
export async function runIndexHook(options: HookOptions): Promise<boolean> {
  const input = parseHookInput(await readBounded(options.stdin), undefined);
  if (!input.fromHook) return false;
  leaveJob(input, options);
  return true;
}

/** Whether a hook may have started `smart-fork index --repo …`: its stdin is a pipe or a file. Reads nothing. */
export function looksLikeHook(args: readonly string[]): boolean {
  if (args[0] !== 'index' || !args.some((arg) => arg === '--repo' || arg.startsWith('--repo='))) return false;
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isSocket() || (stdin.isFile() && stdin.size > 0);
  } catch {
    // No stdin: not a hook.
    return false;
  }
}

function leaveJob(input: HookInput, options: HookOptions): void {
  // smart-fork itself started this session, so it is not the user's work.
  if (options.env.SMART_FORK_CHILD === '1' || input.event === 'user-prompt-submit') return;
  try {
    const home = homeOf(options);
    if (!indexesAutomatically(home)) return;
    writeJobFile(join(home, 'spool'), {
      event: input.event,
      transcriptPath: input.transcriptPath,
      sessionId: input.sessionId,
      at: new Date().toISOString(),
    });
    startWorker(home, options.worker, options.env);
  } catch {
    // A hook must stay silent. The next worker finds changed transcripts anyway.
  }
}

/** Whether the user lets hooks index. Only this setting is read, because every answer of an agent waits for it. */
function indexesAutomatically(home: string): boolean {
  let text: string;
  try {
    text = readRegularText(join(home, 'config.json'));
  } catch {
    return true;
  }
  if (!text.includes('auto_index')) return true;
  // An unreadable file throws: it may say no.
  const { indexing } = parseSettings(text.replace(/^\ufeff/, '')) as { indexing?: { auto_index?: unknown } };
  return indexing?.auto_index !== false;
}

async function printSuggestion(input: HookInput, options: HookOptions): Promise<void> {
  if (options.env.SMART_FORK_CHILD === '1') return;
  if (input.event !== 'session-start' && input.event !== 'user-prompt-submit') return;
  try {
    const home = homeOf(options);
    // Most users have no such setting, so nothing more is loaded for them. Its value is read later, with the other settings.
    if (!readRegularText(join(home, 'config.json')).includes('suggest')) return;
    const suggest = await options.suggest();
    const text = await suggest(input, { ...options.env, SMART_FORK_HOME: home });
    if (text !== null) process.stdout.write(`${text}\n`);
  } catch {
    // Without settings, or with an unusable store, the session gets no suggestion.
  }
}

function homeOf({ home, env }: HookOptions): string {
  return resolve(home ?? (env.SMART_FORK_HOME || join(userHome(), '.smart-fork')));
}

/** `os.homedir()` returns even an empty HOME; the user database has the real one. */
function userHome(): string {
  const home = homedir();
  return isAbsolute(home) ? home : userInfo().homedir;
}
