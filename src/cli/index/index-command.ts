import type { IndexSummary } from '../../domain/summary.ts';
import { defineCommand, EXIT, runCommand } from '../run-command.ts';

export const indexCommand = defineCommand({
  command: 'index',
  describe: 'index the transcripts on this machine, newest first',
  builder: (yargs) =>
    yargs
      .option('repo', {
        type: 'string',
        describe: 'only sessions of this repository: ., a path, a name or owner/name',
      })
      .option('session', {
        type: 'string',
        describe: 'only this session: its id, or the path of its transcript',
      })
      .option('since', {
        type: 'string',
        describe: 'only transcripts changed since a date, an age ("2 weeks", 3d), or words: "last week"',
      })
      .option('force', { type: 'boolean', describe: 'read every transcript again, even unchanged ones' })
      .option('embed', {
        type: 'boolean',
        describe:
          'wait for archiving and embedding; --no-embed defers both. By default, in a terminal, the worker embeds in the background',
      })
      .option('archive', {
        type: 'boolean',
        describe: 'archive transcripts even with --no-embed; --no-archive skips archiving',
      })
      .option('json', { type: 'boolean', describe: 'print the summary as JSON' })
      .epilogue(
        'Exits with 1 if no transcript, or not the one given with --session, could be read. Otherwise unreadable transcripts are only listed.',
      )
      .example('$0 index', 'index new and changed transcripts')
      .example('$0 index --repo . --no-embed', 'index this repository, for keyword search only'),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { runIndexing } = await import('./run-indexing.ts');
      const { terminal } = context;
      const inBackground = args.embed === undefined && args.json !== true && terminal.interactive;
      const summary = await runIndexing(context, {
        repo: args.repo,
        session: args.session,
        since: args.since,
        force: args.force === true,
        embed: args.embed !== false && !inBackground,
        keep: args.archive ?? args.embed !== false,
        quiet: args.json === true,
      });
      if (hasFailed(summary, args.session)) process.exitCode = EXIT.failed;
      if (args.json === true) return terminal.out(JSON.stringify(summary));
      const { renderIndexSummary, renderNextStep } = await import('./render-index-summary.ts');
      terminal.out([renderIndexSummary(summary, terminal), ...renderNextStep(summary, terminal)].join('\n'));
      if (summary.found === 0 && args.session === undefined) {
        const roots = context.parts.sources.flatMap((source) => source.roots).join(', ');
        terminal.err(`Looked in ${roots}. smart-fork doctor says how to set other folders.`);
      }
      if (!inBackground) return;
      const { embedInBackground } = await import('./embed-in-background.ts');
      await embedInBackground(context, summary);
    }),
});

/** If one of many transcripts is unreadable, it is listed, but the command still succeeds. */
function hasFailed(summary: IndexSummary, session: string | undefined): boolean {
  const { failed, indexed, unchanged, empty, excluded } = summary;
  if (failed.length === 0) return false;
  return session !== undefined || indexed + unchanged + empty + excluded === 0;
}
