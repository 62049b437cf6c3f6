import type { Argv } from 'yargs';
import type { Sharing } from '../../compose/server.ts';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, filterOf, withFilters } from '../shared/filter-options.ts';

export const statsCommand = {
  command: 'stats',
  describe: 'count what is indexed, by repository and month',
  builder: (yargs: Argv) =>
    withFilters(yargs.option('json', { type: 'boolean', describe: 'print as JSON' })).example(
      '$0 stats',
      'count all sessions',
    ),
  handler: (args: GlobalArguments & FilterArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { sessionStats } = await import('../../app/search/session-stats.ts');
      const { storePlace } = await import('../../compose/parts.ts');
      const { archiveSize } = await import('../../app/archive/archive-size.ts');
      const filter = await filterOf(args, parts);
      const deps = {
        store: await parts.store(),
        state: parts.state(),
        ...storePlace(parts.config),
        archive: await archiveSize(parts.archive, parts.config.archive),
      };
      const stats = await sessionStats(deps, filter);
      const server = await readServer(await parts.sharing());
      if (args.json === true) return terminal.out(JSON.stringify({ ...stats, server }));
      const { renderStats } = await import('./render-stats.ts');
      terminal.out(renderStats(stats, terminal, { nowMs: parts.machine.now(), server }));
    }),
};

async function readServer(sharing: Sharing | null) {
  if (sharing === null) return null;
  const state = await sharing.state();
  // Don't ask again if it did not answer.
  return { ...state, archive: state.sessions === null ? null : await sharing.archiveSize() };
}
