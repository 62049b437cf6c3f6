import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, filterOf, withFilters } from '../shared/filter-options.ts';
import { numberOption } from '../shared/number-option.ts';
import { printIds } from '../shared/print-ids.ts';

interface SessionsArguments extends GlobalArguments, FilterArguments {
  limit?: number;
  cursor?: string;
  ids?: boolean;
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
          numberOption('--limit', {
            alias: 'n',
            default: 20,
            whole: true,
            min: 1,
            max: 1000,
            describe: 'maximum number of rows, at most 1000',
          }),
        )
        .option('cursor', { type: 'string', describe: 'continue from the cursor of a --json list' })
        .option('ids', { type: 'boolean', describe: 'print only the ids, one per line' })
        .option('json', { type: 'boolean', describe: 'print {"sessions": [...], "cursor": ...}' })
        .conflicts('ids', 'json'),
    )
      .example('$0 sessions --repo .', 'sessions of this repository')
      .example('$0 sessions --ids --tag done | xargs $0 forget --yes', 'forget the sessions with a tag')
      .example('$0 sessions --marker WAITING', 'sessions with unfinished work'),
  handler: (args: SessionsArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { limit = 20 } = args;
      const [{ sessionCard }, { locateSession }] = await Promise.all([
        import('../../app/sessions/session-card.ts'),
        import('../../app/sessions/locate-session.ts'),
      ]);
      const store = await parts.store();
      const filter = await filterOf(args, parts);
      const page = await store.list(filter, limit, args.cursor);
      if (args.ids === true) return printIds(page.sessions, terminal);
      const cards = page.sessions.map((session) => sessionCard(session, locateSession(parts, session)));
      if (args.json === true) return terminal.out(JSON.stringify({ sessions: cards, cursor: page.cursor }));
      const [{ renderSessions }, { withShortIds }] = await Promise.all([
        import('./render-sessions.ts'),
        import('../shared/short-ids.ts'),
      ]);
      const look = await withShortIds(
        terminal,
        parts,
        page.sessions.map(({ session_id }) => session_id),
      );
      terminal.out(renderSessions(cards, look, { nowMs: parts.machine.now() }));
      if (cards.length > 0) return;
      const { explainEmpty } = await import('./explain-empty.ts');
      terminal.err(await explainEmpty({ store, probe: parts.probe }, filter, args.repo, terminal));
    }),
};
