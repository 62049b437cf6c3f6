import type { ForkParts } from '../../compose/fork.ts';
import type { CommandContext, GlobalArguments } from '../run-command.ts';
import type { FilterArguments } from '../shared/filter-options.ts';
import type { Asking } from './picker/ask-user.ts';

export interface ForkArguments extends GlobalArguments, FilterArguments {
  words?: string[];
  '--'?: string[];
  at?: string;
  into?: string;
  inject?: boolean;
  name?: string;
  exec?: boolean;
  print?: boolean;
  copy?: boolean;
  tmux?: boolean;
  terminal?: boolean;
  check?: boolean;
  everywhere?: boolean;
}

export interface ForkOptions extends ForkArguments {
  words: string[];
}

export interface ForkJob {
  context: CommandContext;
  forkParts: ForkParts;
  options: ForkOptions;
  asking: Asking;
  /** From `performance.now()`. */
  started: number;
}

export type ForkAction = 'start' | 'print' | 'copy' | 'tmux' | 'terminal';
