import type { PreparedFork } from '../app/prepare-fork.ts';
import { SmartForkError } from '../domain/errors.ts';
import { commandLine } from '../domain/shell.ts';
import { copyText } from './output/clipboard.ts';
import { createInk } from './output/ink.ts';
import { duration } from './output/time.ts';
import { runHere, startApart } from './start-program.ts';
import type { ForkJob } from './take-session.ts';

export type ForkAction = 'start' | 'print' | 'copy' | 'tmux' | 'terminal';

/** Does with a fork what the user decided. The command goes to stdout, so that it can be taken over by a script. */
export async function dispatchFork(job: ForkJob, fork: PreparedFork, action: ForkAction): Promise<void> {
  const { terminal } = job.context;
  for (const note of fork.notes) terminal.err(`! ${note}`);
  switch (action) {
    case 'print':
      return show(job, fork, job.options.copy === true ? await copy(job, fork) : '(not copied)');
    case 'copy':
      return show(job, fork, await copy(job, fork));
    case 'start':
      return start(job, fork);
    case 'tmux':
      return startIn(job, fork, tmuxWords(job, fork));
    case 'terminal':
      return startIn(job, fork, terminalWords(job, fork));
  }
}

function show({ context, started }: ForkJob, { command }: PreparedFork, how: string): void {
  const { terminal } = context;
  const { style } = createInk(terminal);
  terminal.err(`\nFork Command ${how}:`);
  terminal.out(style.command(command));
  terminal.err(`\n${worked(started, terminal.errorLook.unicode)}`);
}

async function copy({ context }: ForkJob, { command }: PreparedFork): Promise<string> {
  const { terminal, env, parts } = context;
  const how = await copyText(command, terminal, env, parts.machine.platform);
  if (how === null) return '(not copied: no clipboard was found)';
  return how === 'terminal' ? '(copied, if your terminal allows it)' : '(copied)';
}

async function start(job: ForkJob, fork: PreparedFork): Promise<void> {
  const { context, started } = job;
  const { terminal, env } = context;
  terminal.err(`\n${createInk(terminal.errorLook).style.command(fork.command)}`);
  terminal.err(`${worked(started, terminal.errorLook.unicode)}\n`);
  await runFirst(job, fork);
  process.exitCode = await runHere({ words: fork.words, directory: fork.directory, env });
}

async function startIn(job: ForkJob, fork: PreparedFork, words: string[]): Promise<void> {
  await runFirst(job, fork);
  await startApart({ words, directory: null, env: job.context.env });
  show(job, fork, '(started in a window of its own)');
}

async function runFirst({ context }: ForkJob, { first }: PreparedFork): Promise<void> {
  if (first === null) return;
  const code = await runHere({ words: first, directory: null, env: context.env });
  if (code !== 0) throw new SmartForkError('USAGE', `${first.join(' ')} ended with code ${code}`);
}

/** The window's environment is the tmux server's: what decides where the agent looks is handed on. */
function tmuxWords({ context, options }: ForkJob, fork: PreparedFork): string[] {
  const { env } = context;
  if (!env.TMUX) {
    throw new SmartForkError('USAGE', 'there is no tmux around this terminal', {
      hint: 'Start tmux first, or leave out --tmux.',
    });
  }
  const handed = ['CLAUDE_CONFIG_DIR', 'CODEX_HOME'].flatMap((name) =>
    env[name] ? ['-e', `${name}=${env[name]}`] : [],
  );
  const folder = fork.directory ?? process.cwd();
  return ['tmux', 'new-window', '-n', options.name ?? 'fork', '-c', folder, ...handed, ...fork.words];
}

function terminalWords({ context, options }: ForkJob, fork: PreparedFork): string[] {
  const template = context.config.settings.fork?.terminal;
  if (template === undefined) {
    throw new SmartForkError('USAGE', 'no terminal is set', {
      hint: `smart-fork config set fork.terminal '["kitty","--directory","{cwd}","sh","-c","{command}"]'`,
    });
  }
  const values: Record<string, string> = {
    command: commandLine(fork.words, null, context.parts.machine.shell),
    cwd: fork.directory ?? process.cwd(),
    name: options.name ?? 'fork',
  };
  return template.map((word) => word.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all));
}

function worked(started: number, unicode: boolean): string {
  return `${unicode ? '✨ ' : ''}Worked for ${duration(performance.now() - started)}`;
}
