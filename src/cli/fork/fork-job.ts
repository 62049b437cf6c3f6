import type { ForkParts } from '../../compose/fork.ts';
import type { CommandContext } from '../run-command.ts';
import type { ForkArguments } from './fork-command.ts';
import type { Asking } from './picker/ask.ts';

export interface ForkOptions extends ForkArguments {
  words: string[];
}

/** One run of `fork`. */
export interface ForkJob {
  context: CommandContext;
  forkParts: ForkParts;
  options: ForkOptions;
  asking: Asking;
  /** Of `performance.now()`. */
  started: number;
}

export type ForkAction = 'start' | 'print' | 'copy' | 'tmux' | 'terminal';
