import { SmartForkError } from '../../domain/errors.ts';
import { defineCommand, runCommand } from '../run-command.ts';
import { filtersIn, withFilters } from '../shared/filter-options.ts';
import { tellNotices } from '../shared/notices.ts';

export const memoryCommand = defineCommand({
  command: 'memory <action> [path]',
  describe: 'count findings and topics, or extract them again',
  builder: (yargs) =>
    withFilters(
      yargs
        .positional('action', {
          choices: ['stats', 'backfill'] as const,
          demandOption: true,
          describe: 'stats: print counts; backfill: read transcripts again',
        })
        .positional('path', {
          type: 'string',
          describe: 'backfill: a transcript, or a folder with transcripts; default: the running session',
        })
        .option('all', { type: 'boolean', describe: 'backfill: every transcript on this machine' })
        .option('with-model', {
          type: 'boolean',
          describe:
            'backfill: also read sessions with the model set in memory.extractor; shows the cost and asks first',
        })
        .option('yes', { alias: 'y', type: 'boolean', describe: 'with --with-model: do not ask' })
        .option('json', { type: 'boolean', describe: 'print one JSON object (docs/json.md)' }),
    )
      .example('$0 memory stats --repo .', 'findings and topics of this repository')
      .example('$0 memory backfill ~/.claude/projects/-home-me-api', 'the transcripts of a folder')
      .example('$0 memory backfill --all', 'all of them')
      .example('$0 memory backfill --all --with-model', 'find more with the model in memory.extractor'),
  handler: (args) =>
    runCommand(args, async (context) => {
      if (args.action === 'backfill' && args.withModel === true) {
        const { runModelBackfill } = await import('./run-model-backfill.ts');
        return runModelBackfill(context, args);
      }
      if (args.action === 'backfill') {
        const { runBackfill } = await import('./run-backfill.ts');
        return runBackfill(context, args);
      }
      if (args.path !== undefined || args.all === true || args.withModel === true)
        throw new SmartForkError('USAGE', 'memory stats takes no path, --all or --with-model', {
          hint: 'smart-fork memory stats --repo . counts one repository.',
        });
      const { memoryStats } = await import('../../operations/memory/memory-stats.ts');
      const { perform } = await import('../../operations/operation.ts');
      const { openHere } = await import('../operation/open-here.ts');
      const { open, caller } = openHere(context);
      const stats = await perform(memoryStats, open, filtersIn(args), caller);
      tellNotices(stats.notices ?? [], context.terminal);
      if (args.json === true) return context.terminal.out(JSON.stringify(stats));
      const { renderMemoryStats } = await import('./render-memory.ts');
      context.terminal.out(renderMemoryStats(stats, context.terminal));
    }),
});
