import { openOperations } from '../../compose/operations.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import type { Caller } from '../../operations/caller.ts';
import type { Open } from '../../operations/open.ts';
import type { CommandContext } from '../run-command.ts';

/** What a command works with, and who asks: the shell in the current folder, or an agent that started it. */
export function openHere(
  { parts, env, terminal, signal, invalidSettings }: CommandContext,
  nameOf: Caller['nameOf'] = (field) => `--${field.replaceAll('_', '-')}`,
): { open: Open; caller: Caller } {
  const directory = process.cwd();
  return {
    open: openOperations(parts, { env, invalidSettings }),
    caller: {
      running: runningSessions(parts),
      // An agent's shell is not a terminal.
      mayBeUnknown: !terminal.interactive,
      project: async () => directory,
      directory,
      nameOf,
      tell: (message) => terminal.err(message),
      signal,
    },
  };
}
