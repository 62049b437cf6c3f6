import type { ForkParts } from '../../compose/fork.ts';
import type { CommandContext, GlobalArguments } from '../run-command.ts';
import type { FilterArguments } from '../shared/filter-options.ts';
import type { Asking } from './picker/ask-user.ts';

export interface ForkArguments extends GlobalArguments, FilterArguments {
  words?: string[] | undefined;
  '--'?: string[] | undefined;
  at?: string | undefined;
  into?: string | undefined;
  inject?: boolean | undefined;
  name?: string | undefined;
  exec?: boolean | undefined;
  print?: boolean | undefined;
  copy?: boolean | undefined;
  tmux?: boolean | undefined;
  terminal?: boolean | undefined;
  check?: boolean | undefined;
  everywhere?: boolean | undefined;
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
