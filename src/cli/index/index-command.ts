import type { Argv } from 'yargs';
import type { IndexSummary } from '../../domain/summary.ts';
import type { GlobalArguments } from '../run-command.ts';
import { EXIT, runCommand } from '../run-command.ts';

interface IndexArguments extends GlobalArguments {
  repo?: string | undefined;
  session?: string | undefined;
  since?: string | undefined;
  force?: boolean | undefined;
  embed?: boolean | undefined;
  archive?: boolean | undefined;
}

export const indexCommand = {
  command: 'index',
  describe: 'index the transcripts of this machine, newest first',
  builder: (yargs: Argv) =>
    yargs
      .option('repo', { type: 'string', describe: 'only sessions that were had in this folder' })
      .option('session', { type: 'string', describe: 'only this session: its id or its file' })
      .option('since', {
        type: 'string',
        describe: 'only transcripts changed since: a date, or "2 weeks", 3d',
      })
      .option('force', { type: 'boolean', describe: 'read every transcript again, changed or not' })
      .option('embed', {
        type: 'boolean',
        default: true,
        describe: 'after the words, copies and embeddings; --no-embed leaves both for later',
      })
      .option('archive', {
        type: 'boolean',
        describe: 'copies of transcripts in the archive, whatever --embed says',
      })
      .option('json', { type: 'boolean', describe: 'print the summary as JSON' })
      .epilogue(
        'Exit code 1: nothing could be read, or not the session that was named. Of many transcripts, those that could not be read are listed.',
      )
      .example('$0 index', 'everything that is new')
      .example('$0 index --repo . --no-embed', 'this repository, by words only'),
  handler: (args: IndexArguments) =>
    runCommand(args, async (context) => {
      const { runIndexing } = await import('./run-indexing.ts');
      const { terminal } = context;
      const summary = await runIndexing(context, {
        repo: args.repo,
        session: args.session,
        since: args.since,
        force: args.force === true,
        embed: args.embed !== false,
        keep: args.archive ?? args.embed !== false,
        quiet: args.json === true,
      });
      if (hasFailed(summary, args)) process.exitCode = EXIT.failed;
      if (args.json === true) return terminal.out(JSON.stringify(summary));
      const { renderIndexSummary } = await import('./render-index-summary.ts');
      terminal.out(renderIndexSummary(summary, terminal));
    }),
};

/** One transcript among many that cannot be read is listed; it is no failure of what was asked for. */
function hasFailed(summary: IndexSummary, { session }: IndexArguments): boolean {
  const { failed, indexed, unchanged, empty, excluded } = summary;
  if (failed.length === 0) return false;
  return session !== undefined || indexed + unchanged + empty + excluded === 0;
}
