import { sessions } from '../../operations/sessions/sessions.ts';
import { operationCommand } from '../operation/operation-command.ts';
import { filterOf } from '../shared/filter-options.ts';
import { printIds } from '../shared/print-ids.ts';

export const sessionsCommand = operationCommand({
  operation: sessions,
  command: 'sessions',
  aliases: ['ls'],
  options: { ids: { type: 'boolean', describe: 'print only the ids, one per line' } },
  conflicts: [['ids', 'json']],
  json: 'print {"sessions": [...], "cursor": ...}',
  examples: [
    ['$0 sessions --repo .', 'sessions of this repository'],
    ['$0 sessions --ids --tag done | xargs $0 forget --yes', 'forget the sessions with a tag'],
    ['$0 sessions --sort cost --since 1m', 'the dearest sessions of a month'],
    ['$0 sessions --marker WAITING', 'sessions with unfinished work'],
  ],
  async print({ sessions: cards, cursor }, { terminal, parts }, args, input) {
    if (cursor !== null) terminal.err(`! only the newest ${cards.length}: raise --limit`);
    if (args.ids === true) return printIds(cards, terminal);
    const [{ renderSessions }, { withNames, withShortIds }] = await Promise.all([
      import('./render-sessions.ts'),
      import('../shared/short-ids.ts'),
    ]);
    const ids = cards.map(({ session_id }) => session_id);
    const parents = cards.flatMap(({ parent_session_id }) => parent_session_id ?? []);
    const short = await withShortIds(terminal, parts, [...ids, ...parents]);
    const look = await withNames(short, parts, parents);
    terminal.out(renderSessions(cards, look, { nowMs: parts.machine.now() }));
    if (cards.length > 0) return;
    const { explainEmpty } = await import('./explain-empty.ts');
    const store = await parts.store();
    const filter = await filterOf(input, parts);
    terminal.err(await explainEmpty({ store, probe: parts.probe }, filter, input.repo, terminal));
  },
});
