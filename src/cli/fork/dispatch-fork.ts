import type { ReadyFork } from '../../app/fork/make-fork.ts';
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

/** Prints, copies or starts a fork, as decided. The command is printed to stdout, for scripts. */
export async function dispatchFork(job: ForkJob, fork: ReadyFork, action: ForkAction): Promise<void> {
  const { terminal } = job.context;
  for (const note of fork.notes) terminal.err(`! ${sanitizeLine(note)}`);
  switch (action) {
    case 'print':
      return show(job, fork, job.options.copy === true ? await copy(job, fork) : '(not copied)');
    case 'copy':
      return show(job, fork, await copy(job, fork));
    case 'start':
      return start(job, fork);
    case 'tmux':
      return startIn(job, fork, tmuxOf(job));
    case 'terminal':
      return startIn(job, fork, await terminalOf(job));
  }
}

function show({ context, started }: ForkJob, { command }: ReadyFork, how: string): void {
  const { terminal } = context;
  const { style } = createInk(terminal);
  terminal.err(`\nFork Command ${how}:`);
  terminal.out(style.command(command));
  terminal.err(`\n${worked(started, terminal.errorLook.unicode)}`);
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
  terminal.err(`${worked(started, terminal.errorLook.unicode)}\n`);
  await runFirst(context, fork);
  process.exitCode = await runHere({ words: fork.words, directory: fork.directory, env });
}

async function startIn(job: ForkJob, fork: ReadyFork, launcher: TerminalLauncher): Promise<void> {
  await runFirst(job.context, fork);
  const { machine } = job.context.parts;
  const command = commandLine(fork.words, fork.directory ?? process.cwd(), machine.shell);
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

async function terminalOf({ context }: ForkJob): Promise<TerminalLauncher> {
  const launcher = configuredTerminal(context.config);
  if (launcher !== null) return launcher;
  throw new SmartForkError('USAGE', 'no terminal is configured', {
    hint: 'Set one, for example: smart-fork config set fork.launch kitty',
  });
}

function worked(started: number, unicode: boolean): string {
  return `${unicode ? '✨ ' : ''}Worked for ${duration(performance.now() - started)}`;
}
