import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';
import { numberOption } from '../shared/number-option.ts';
import { withSession } from '../shared/session-argument.ts';

interface ShowArguments extends GlobalArguments {
  id: string;
  turn?: number | undefined;
  query?: string | undefined;
}

export const showCommand = {
  command: 'show <id>',
  describe: 'show a session and its turns',
  builder: (yargs: Argv) =>
    withSession(
      yargs
        .option(
          'turn',
          numberOption('--turn', { alias: 't', whole: true, min: 1, describe: 'show only this turn' }),
        )
        .option('query', {
          ...{ type: 'string', alias: 'q', requiresArg: true },
          describe: 'show the passages of the turns that match this query, best first',
        }),
      'print the record and the turns as JSON',
    )
      .conflicts('turn', 'query')
      .example('$0 show 8402b1ed', 'show it in your pager')
      .example('$0 show 8402b1ed --turn 4', 'show its fourth turn')
      .example('$0 show 8402b1ed --query "retry delay"', 'find the turn to fork at'),
  handler: (args: ShowArguments) => runCommand(args, (context) => show(context, args)),
};

async function show({ parts, terminal, env }: CommandContext, args: ShowArguments): Promise<void> {
  const { findSession } = await import('../../app/sessions/find-session.ts');
  const { viewSession } = await import('../../app/read/view-session.ts');
  const store = await parts.store();
  const view = await viewSession({ ...parts, store }, await findSession(store, args.id));
  const { page } = await import('../terminal/pager.ts');
  if (args.query !== undefined) {
    const { matchTurns } = await import('../../app/read/match-turns.ts');
    const matches = matchTurns(view.turns, args.query, parts.tokenizer);
    if (args.json === true) return terminal.out(JSON.stringify({ session: view.session, matches }));
    const { renderMatches } = await import('./render-matches.ts');
    return page(renderMatches(view, { query: args.query, matches }, terminal), terminal, env);
  }
  const turns = args.turn === undefined ? view.turns : [turnOf(view.turns, args.turn)];
  if (args.json === true) return terminal.out(JSON.stringify({ ...view, turns }));
  const { renderSession, renderTurn } = await import('./render-session.ts');
  const text =
    args.turn === undefined
      ? renderSession(view, terminal, { nowMs: parts.machine.now() })
      : renderTurn({ ...view, turns }, terminal);
  await page(text, terminal, env);
}

function turnOf<T extends { index: number }>(turns: T[], wanted: number): T {
  const turn = turns.find(({ index }) => index === wanted - 1);
  if (turn !== undefined) return turn;
  const last = (turns.at(-1)?.index ?? -1) + 1;
  throw new SmartForkError('USAGE', `no turn ${wanted}: the session has ${last}`, {
    hint: 'smart-fork show lists the turns; --query finds the one that matches.',
  });
}
