import { AGENTS } from '../../domain/agent/agents.ts';
import { defineCommand, runCommand } from '../run-command.ts';
import { everywhereOption } from '../search/preferred-repository.ts';
import { withFilters } from '../shared/filter-options.ts';

const WHAT = 'What to fork:';
const WHERE = 'What to do with the command (prompts by default):';

export const forkCommand = defineCommand({
  command: 'fork [words..]',
  describe: 'pick a session and fork it',
  builder: (yargs) =>
    withFilters(
      yargs
        .positional('words', {
          type: 'string',
          array: true,
          default: [],
          describe: 'what you want to do, or a session id',
        })
        .option('last', {
          type: 'boolean',
          group: WHAT,
          describe: 'the newest session, of this repository if it has any; also fork last',
        })
        .option('at', {
          type: 'string',
          group: WHAT,
          describe: 'fork at a turn: its number in smart-fork show, or "match" for the best match',
        })
        .option('inject', {
          type: 'boolean',
          group: WHAT,
          describe: 'start a new session with its context as text',
        })
        .option('into', { type: 'string', group: WHAT, choices: AGENTS, describe: 'agent to continue in' })
        .option('query', {
          type: 'string',
          group: WHAT,
          describe: 'what you want to do with the session that the id names',
        })
        .option('folder', { type: 'string', group: WHAT, describe: 'folder in which it starts' })
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
        .option('everywhere', { ...everywhereOption, group: WHAT })
        .option('check', { type: 'boolean', group: WHERE, describe: 'only run the preflight checks' })
        .option('json', {
          type: 'boolean',
          describe: 'print the session, the checks and the command as JSON',
        })
        .conflicts('exec', ['print', 'tmux', 'terminal', 'check', 'json'])
        .conflicts('tmux', ['terminal', 'check', 'json'])
        .conflicts('terminal', ['check', 'json']),
    )
      .example('$0 fork add token usage cards', 'search, pick a session and fork it')
      .example('$0 fork --last', 'fork the newest session of this repository')
      .example('$0 fork 8402b1ed --at 4 --exec', 'fork after its fourth turn and start it')
      .example('$0 fork 8402b1ed --into codex', 'start Codex with its context'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { ensureIndexed } = await import('../index/ensure-indexed.ts');
      if (!(await ensureIndexed(context))) return;
      const [{ pickSession }, { runFork }] = await Promise.all([
        import('./pick-session.ts'),
        import('./run-fork.ts'),
      ]);
      const chosen = await pickSession(context, args);
      if (chosen !== null) await runFork(context, args, chosen);
    }),
});
