import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, filterOf, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';

interface SessionsArguments extends GlobalArguments, FilterArguments {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export const sessionsCommand = {
  command: 'sessions',
  aliases: ['ls'],
  describe: 'list recent sessions',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .option(
          'limit',
          numberOption({
            alias: 'n',
            default: 20,
            describe: 'maximum number of rows, at most 1000',
          }),
        )
        .option('cursor', { type: 'string', describe: 'continue from the cursor of a --json list' })
        .option('json', { type: 'boolean', describe: 'print {"sessions": [...], "cursor": ...}' }),
    )
      .example('$0 sessions --repo .', 'sessions of this repository')
      .example('$0 sessions --marker WAITING', 'sessions that left something to do'),
  handler: (args: SessionsArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { limit = 20 } = args;
      if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
        throw new SmartForkError('USAGE', `--limit ${limit} is not a whole number from 1 to 1000`);
      }
      const [{ sessionCard }, { locateSession }] = await Promise.all([
        import('../../app/sessions/session-card.ts'),
        import('../../app/sessions/locate-session.ts'),
      ]);
      const store = await parts.store();
      const page = await store.list(filterOf(args, parts.probe, parts.machine.now()), limit, args.cursor);
      const cards = page.sessions.map((session) => sessionCard(session, locateSession(parts, session)));
      if (args.json === true) return terminal.out(JSON.stringify({ sessions: cards, cursor: page.cursor }));
      const { renderSessions } = await import('./render-sessions.ts');
      terminal.out(renderSessions(cards, terminal, { nowMs: parts.machine.now() }));
    }),
};
