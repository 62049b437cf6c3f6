import type { ReadyFork } from '../../app/fork/ready-fork.ts';
import { configuredTerminal } from '../../compose/fork.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { commandLine } from '../../domain/machine/shell.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { duration } from '../../domain/text/time-text.ts';
import type { TerminalLauncher } from '../../ports/machine.ts';
import { copyText } from '../terminal/clipboard.ts';
import { createInk } from '../terminal/ink.ts';
import type { ForkAction, ForkJob } from './fork-job.ts';
import { runFirst, runHere } from './start-program.ts';

/** Prints or copies a fork's command. It goes to stdout, for scripts. */
export async function showFork(job: ForkJob, fork: ReadyFork, action: 'print' | 'copy'): Promise<void> {
  showNotes(job, fork);
  const isCopied = action === 'copy' || job.options.copy === true;
  show(job, fork, isCopied ? await copy(job, fork) : null);
}

/** Starts the agent, here or in a new window. */
export async function startFork(
  job: ForkJob,
  fork: ReadyFork,
  action: Exclude<ForkAction, 'print' | 'copy'>,
): Promise<void> {
  showNotes(job, fork);
  if (action === 'start') return start(job, fork);
  return startIn(job, fork, action === 'tmux' ? tmuxOf(job) : terminalOf(job));
}

function showNotes({ context }: ForkJob, { notes }: ReadyFork): void {
  for (const note of notes) context.terminal.err(`! ${sanitizeLine(note)}`);
}

function show({ context, started }: ForkJob, { command }: ReadyFork, how: string | null): void {
  const { terminal } = context;
  const { style } = createInk(terminal);
  terminal.err(`\nFork Command${how === null ? '' : ` ${how}`}:`);
  terminal.out(style.command(command));
  terminal.err(`\n${readyIn(started)}`);
}

async function copy({ context }: ForkJob, { command }: ReadyFork): Promise<string> {
  const { terminal, env, parts } = context;
  const how = await copyText(command, terminal, env, parts.machine.platform);
  if (how === null) return '(not copied: no clipboard found)';
  return how === 'terminal' ? '(copied, if your terminal allows it)' : '(copied)';
}

async function start(job: ForkJob, fork: ReadyFork): Promise<void> {
  const { context, started } = job;
  const { terminal, env } = context;
  terminal.err(`\n${createInk(terminal.errorLook).style.command(fork.command)}`);
  terminal.err(`${readyIn(started)}\n`);
  await runFirst(context, fork);
  process.exitCode = await runHere({ words: fork.words, directory: fork.directory, env });
}

async function startIn(job: ForkJob, fork: ReadyFork, launcher: TerminalLauncher): Promise<void> {
  await runFirst(job.context, fork);
  const { machine } = job.context.parts;
  const command = commandLine(fork.words, fork.directory, machine.shell);
  const result = await launcher.launch(command, job.options.name ?? 'fork');
  if ('failed' in result) {
    throw new SmartForkError('USAGE', result.failed, { hint: 'Use --print to print the command instead.' });
  }
  show(job, fork, `(started in ${result.terminalId})`);
}

function tmuxOf({ context, forkParts }: ForkJob): TerminalLauncher {
  if (context.env.TMUX) return forkParts.tmux;
  throw new SmartForkError('USAGE', 'not running inside tmux', {
    hint: 'Start tmux first, or leave out --tmux.',
  });
}

function terminalOf({ context }: ForkJob): TerminalLauncher {
  const launcher = configuredTerminal(context.config);
  if (launcher !== null) return launcher;
  throw new SmartForkError('USAGE', 'no terminal is configured', {
    hint: 'Set one, for example: smart-fork config set fork.launch kitty',
  });
}

function readyIn(started: number): string {
  return `Ready in ${duration(performance.now() - started)}`;
}
