import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs';
import { compose, type Parts } from '../compose/parts.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { processEnvironment } from '../config/environment.ts';
import { settingsStamp } from '../config/files.ts';
import { SmartForkError } from '../domain/errors.ts';
import { tellNotices } from './shared/notices.ts';
import { renderError } from './shared/render-error.ts';
import { listenForHangUp } from './terminal/hang-up.ts';
import { createTerminal, type Env, type Terminal } from './terminal/terminal.ts';

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export interface CommandContext {
  config: Config;
  parts: Parts;
  terminal: Terminal;
  env: Record<string, string | undefined>;
  /** Aborted by the first Ctrl-C. */
  signal: AbortSignal;
  /** Errors in settings files and variables; always empty without `withInvalidSettings`. */
  invalidSettings: SmartForkError[];
}

export interface RunOptions {
  /** For commands that show or check the settings. */
  withInvalidSettings?: boolean;
  /** For commands that another program runs, so that no user sees stderr. */
  isUnseen?: boolean;
  /** For commands that read no transcripts, so that they load fewer files. */
  onlyPresent?: boolean;
  /** For commands that run until they are stopped, so that Ctrl-C is not a failure. */
  runsUntilStopped?: boolean;
}

export interface GlobalArguments {
  commandName?: string;
  json?: boolean;
  color?: boolean;
  debug?: boolean;
}

interface Command<T> {
  command: string;
  aliases?: string[];
  describe: string;
  /** Options that may be given several times. */
  lists?: string[];
  builder(yargs: Argv): Argv<T>;
  handler(args: ArgumentsCamelCase<T> & GlobalArguments): Promise<void>;
}

/** A command, whose handler gets what its options declare. yargs takes commands of a single type only. */
export function defineCommand<T>(command: Command<T>): CommandModule {
  return command as unknown as CommandModule;
}

/** Loads what a command needs, runs it, prints errors, sets the exit code, and closes what was opened. */
export async function runCommand(
  args: GlobalArguments,
  work: (context: CommandContext) => Promise<void>,
  {
    withInvalidSettings = false,
    isUnseen = false,
    runsUntilStopped = false,
    onlyPresent = false,
  }: RunOptions = {},
): Promise<void> {
  const env = withColor(processEnvironment(), args.color);
  const { stdout, stderr, stdin, platform } = process;
  const terminal = createTerminal({ stdout, stderr, stdin, env, platform, onWriteError: reportWriteError });
  const interruption = listenForInterrupt(terminal);
  let parts: Parts | null = null;
  try {
    const invalidSettings: SmartForkError[] = [];
    const onInvalid = (problem: SmartForkError) => invalidSettings.push(problem);
    const config = await loadConfig(processEnvironment(), withInvalidSettings ? onInvalid : undefined);
    parts = await compose(config, { onlyPresent });
    if (!isUnseen && env.SMART_FORK_CHILD !== '1') tellWithoutEffect(config, parts, terminal);
    await work({ config, parts, terminal, env, signal: interruption.signal, invalidSettings });
  } catch (error) {
    if (!interruption.signal.aborted) {
      await parts?.errors?.note(`smart-fork ${args.commandName}`, error);
      report(error, args, terminal);
    }
  } finally {
    interruption.stop();
    // Those that the command has not printed itself.
    tellNotices(parts?.notices() ?? [], terminal);
    await parts?.close();
    if (interruption.signal.aborted && !runsUntilStopped) process.exitCode = EXIT.interrupted;
  }
}

/** Names the settings without effect once after each change of config.json. */
function tellWithoutEffect(
  { home, withoutEffect }: Config,
  { searchNotes }: Parts,
  terminal: Terminal,
): void {
  if (withoutEffect.length === 0) return;
  const stamp = settingsStamp(home);
  if (searchNotes.toldOn(WITHOUT_EFFECT) === stamp) return;
  searchNotes.setToldOn(WITHOUT_EFFECT, stamp);
  const list = withoutEffect.map(({ key, reason }) => `${key} (${reason})`).join(', ');
  tellNotices([{ code: WITHOUT_EFFECT, message: `without effect in config.json: ${list}` }], terminal);
}

const WITHOUT_EFFECT = 'SETTINGS_WITHOUT_EFFECT';

/** --color and --no-color override the environment. */
function withColor(env: Env, color: boolean | undefined): Env {
  if (color === false) return { ...env, NO_COLOR: '1', FORCE_COLOR: undefined };
  return color === true ? { ...env, NO_COLOR: undefined, FORCE_COLOR: env.FORCE_COLOR || '1' } : env;
}

/** Reports to stderr, if possible, that stdout failed. */
function reportWriteError(error: Error): void {
  process.exitCode = EXIT.failed;
  if (process.stderr.writable) process.stderr.write(`error: cannot print: ${error.message}\n`);
}

function report(thrown: unknown, args: GlobalArguments, terminal: Terminal): void {
  const error = explained(thrown);
  process.exitCode = error instanceof SmartForkError && error.code === 'USAGE' ? EXIT.usage : EXIT.failed;
  if (args.json === true) {
    terminal.out(JSON.stringify({ error: errorRecord(error) }));
    return;
  }
  terminal.err(renderError(error, terminal.errorLook, { debug: args.debug === true }));
}

/** Adds a hint to file system errors that the user can fix. */
function explained(error: unknown): unknown {
  if (error instanceof SmartForkError || !(error instanceof Error) || !('code' in error)) return error;
  const hints: Record<string, string> = {
    EACCES: 'Check its permissions, or set SMART_FORK_HOME to a folder you can write to.',
    EPERM: 'Check its permissions, or set SMART_FORK_HOME to a folder you can write to.',
    EROFS: 'Set SMART_FORK_HOME to a folder you can write to.',
    ENOSPC: 'Free some disk space and run the command again. Nothing indexed is lost.',
  };
  const hint = hints[String(error.code)];
  return hint === undefined
    ? error
    : new SmartForkError('STORE_UNAVAILABLE', error.message, { hint, cause: error });
}

function errorRecord(error: unknown) {
  if (!(error instanceof Error)) return { code: 'INTERNAL', message: String(error) };
  if (!(error instanceof SmartForkError)) return { code: 'INTERNAL', message: error.message };
  const { code, message, hint } = error;
  return hint === undefined ? { code, message } : { code, message, hint };
}

/** The first Ctrl-C lets the command stop cleanly, as a terminal that goes away does; the second one kills it. */
function listenForInterrupt(terminal: Terminal): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  const onInterrupt = () => {
    if (controller.signal.aborted) {
      process.removeListener('SIGINT', onInterrupt);
      process.kill(process.pid, 'SIGINT');
      return;
    }
    if (terminal.stderr.isTTY === true) terminal.err('');
    controller.abort();
  };
  const onTerminate = () => controller.abort();
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.on('SIGHUP', onTerminate);
  const stopListening = listenForHangUp(process, onTerminate);
  return {
    signal: controller.signal,
    stop: () => {
      process.removeListener('SIGINT', onInterrupt);
      process.removeListener('SIGTERM', onTerminate);
      process.removeListener('SIGHUP', onTerminate);
      stopListening();
    },
  };
}
