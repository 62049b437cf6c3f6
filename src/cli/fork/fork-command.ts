import type { Argv } from 'yargs';
import { AGENTS } from '../../domain/session/session.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';

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
}

const WHAT = 'What to take along:';
const WHERE = 'What to do with the command (asked unless given):';

export const forkCommand = {
  command: 'fork [words..]',
  describe: 'pick a session and go on from it in a new one',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('words', {
          type: 'string',
          array: true,
          describe: 'what you want to do; or the id of a session',
        })
        .option('at', {
          type: 'string',
          group: WHAT,
          describe: 'up to this turn (as in smart-fork show), or "match": where it matches',
        })
        .option('inject', { type: 'boolean', group: WHAT, describe: 'its context as text, in a new session' })
        .option('into', { type: 'string', group: WHAT, choices: AGENTS, describe: 'the agent to go on with' })
        .option('name', { type: 'string', group: WHAT, describe: 'name of the new session' })
        .option('exec', { type: 'boolean', alias: 'x', group: WHERE, describe: 'run it here and now' })
        .option('print', { type: 'boolean', alias: 'p', group: WHERE, describe: 'only print it' })
        .option('copy', { type: 'boolean', alias: 'c', group: WHERE, describe: 'put it on the clipboard' })
        .option('tmux', { type: 'boolean', group: WHERE, describe: 'run it in a new tmux window' })
        .option('terminal', {
          type: 'boolean',
          group: WHERE,
          describe: 'run it in the terminal that is set (fork.launch)',
        })
        .option('check', { type: 'boolean', group: WHERE, describe: 'only say what to expect' })
        .option('json', { type: 'boolean', describe: 'print what was found and decided as JSON' })
        .conflicts('exec', ['print', 'tmux', 'terminal', 'check', 'json'])
        .conflicts('tmux', ['terminal', 'check', 'json'])
        .conflicts('terminal', ['check', 'json']),
    )
      .example('$0 fork add token usage cards', 'search, pick, go on')
      .example('$0 fork 8402b1ed --at 4 --exec', 'from its fourth turn, at once')
      .example('$0 fork 8402b1ed --into codex', 'its context, in Codex'),
  handler: (args: ForkArguments) =>
    runCommand(args, async (context) => {
      const { runFork } = await import('./run-fork.ts');
      await runFork(context, { ...args, words: [...(args.words ?? []), ...(args['--'] ?? [])] });
    }),
};
