import type { ForkParts } from '../../compose/fork.ts';
import type { CommandContext, GlobalArguments } from '../run-command.ts';
import type { FilterArguments } from '../shared/filter-options.ts';
import type { Asking } from './picker/ask-user.ts';

export interface ForkOptions extends GlobalArguments, FilterArguments {
  words: string[];
  last?: boolean;
  at?: string;
  into?: string;
  inject?: boolean;
  name?: string;
  folder?: string;
  exec?: boolean;
  print?: boolean;
  copy?: boolean;
  tmux?: boolean;
  terminal?: boolean;
  check?: boolean;
  everywhere?: boolean;
  query?: string;
}

export interface ForkJob {
  context: CommandContext;
  forkParts: ForkParts;
  deps: Awaited<ReturnType<ForkParts['dependencies']>>;
  options: ForkOptions;
  /** When the session was chosen, from `performance.now()`, without the time that the user took to answer. */
  started: number;
}

export type ForkAction = 'start' | 'print' | 'copy' | 'tmux' | 'terminal';

/** What to do with the command, according to the options; null: ask the user. */
export function actionOf(options: ForkOptions): ForkAction | null {
  if (options.exec) return 'start';
  if (options.tmux) return 'tmux';
  if (options.terminal) return 'terminal';
  if (options.copy) return 'copy';
  return options.print ? 'print' : null;
}

/** A dumb or tiny terminal gets plain lines instead of the picker. */
export function askingOf({ terminal, signal, env }: CommandContext): Asking {
  const tiny = terminal.errorLook.columns < 40 || (terminal.stderr.rows ?? 24) < 10;
  return { terminal, signal, plain: env.TERM === 'dumb' || tiny };
}
