import type { Argv } from 'yargs';
import { AGENTS } from '../../domain/session/session.ts';
import { runCommand } from '../run-command.ts';
import { withFilters } from '../shared/filter-options.ts';
import type { ForkArguments } from './fork-job.ts';

const WHAT = 'What to take along:';
const WHERE = 'What to do with the command (prompts by default):';

export const forkCommand = {
  command: 'fork [words..]',
  describe: 'pick a session and continue it in a new one',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .positional('words', {
          type: 'string',
          array: true,
          describe: 'what you want to do, or the id of a session',
        })
        .option('at', {
          type: 'string',
          group: WHAT,
          describe: 'up to this turn (see smart-fork show), or "match": the turn that matches',
        })
        .option('inject', { type: 'boolean', group: WHAT, describe: 'its context as text, in a new session' })
        .option('into', { type: 'string', group: WHAT, choices: AGENTS, describe: 'the agent to start' })
        .option('name', { type: 'string', group: WHAT, describe: 'name of the new session' })
        .option('exec', { type: 'boolean', alias: 'x', group: WHERE, describe: 'run it in this terminal' })
        .option('print', { type: 'boolean', alias: 'p', group: WHERE, describe: 'print it' })
        .option('copy', { type: 'boolean', alias: 'c', group: WHERE, describe: 'copy it to the clipboard' })
        .option('tmux', { type: 'boolean', group: WHERE, describe: 'run it in a new tmux window' })
        .option('terminal', {
          type: 'boolean',
          group: WHERE,
          describe: 'run it in the configured terminal (fork.launch)',
        })
        .option('check', { type: 'boolean', group: WHERE, describe: 'only check what to expect' })
        .option('json', {
          type: 'boolean',
          describe: 'print the session, the checks and the command as JSON',
        })
        .conflicts('exec', ['print', 'tmux', 'terminal', 'check', 'json'])
        .conflicts('tmux', ['terminal', 'check', 'json'])
        .conflicts('terminal', ['check', 'json']),
    )
      .example('$0 fork add token usage cards', 'search, pick, continue')
      .example('$0 fork 8402b1ed --at 4 --exec', 'continue after its fourth turn, right away')
      .example('$0 fork 8402b1ed --into codex', 'continue in Codex, with its context'),
  handler: (args: ForkArguments) =>
    runCommand(args, async (context) => {
      const { runFork } = await import('./run-fork.ts');
      await runFork(context, { ...args, words: [...(args.words ?? []), ...(args['--'] ?? [])] });
    }),
};
