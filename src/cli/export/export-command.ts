import { SmartForkError } from '../../domain/errors.ts';
import { defineCommand, runCommand } from '../run-command.ts';
import { withFilters } from '../shared/filter-options.ts';

export const exportCommand = defineCommand({
  command: 'export [ids..]',
  describe: 'write sessions as Markdown files, or as one encrypted file',
  builder: (yargs) =>
    withFilters(
      yargs
        .positional('ids', {
          type: 'string',
          array: true,
          default: [],
          describe: 'for --bundle: only these sessions',
        })
        .option('to', {
          type: 'string',
          requiresArg: true,
          describe: "folder to write to (default: export in smart-fork's home)",
        })
        .option('qmd', {
          type: 'boolean',
          describe: "also update and embed qmd's collections of each agent, such as claude-sessions",
        })
        .option('bundle', {
          type: 'string',
          requiresArg: true,
          describe: 'write sessions with their transcripts into this encrypted file',
        })
        .option('recipient', {
          type: 'string',
          array: true,
          nargs: 1,
          implies: 'bundle',
          describe: 'encrypt to this age public key (age1...); may be repeated',
        })
        .option('passphrase-file', {
          type: 'string',
          requiresArg: true,
          implies: 'bundle',
          describe: 'read the passphrase from the first line of a file; - is standard input (default: ask)',
        })
        .conflicts('recipient', 'passphrase-file')
        .conflicts('bundle', ['to', 'qmd'])
        .option('dry-run', {
          type: 'boolean',
          implies: 'bundle',
          describe: 'print what the bundle would contain',
        })
        .option('json', { type: 'boolean', describe: 'print the result as JSON' }),
    )
      .epilogue(
        "One file per session: claude/ID.md or codex/ID.md, and session-registry.json, which lists them. Writes only changed sessions and, without filters, removes files of sessions that are no longer indexed. Secrets are redacted, as in the index; in a bundle's transcripts they are not.",
      )
      .example('$0 export --to ~/notes/sessions', 'write every indexed session')
      .example('$0 export --qmd', 'write them and update qmd')
      .example(
        '$0 export --bundle sessions.age --repo .',
        'sessions of this repository, for another machine',
      ),
  handler: (args) =>
    runCommand(args, async (context) => {
      const { bundle, ids } = args;
      if (bundle !== undefined) {
        const { runBundleExport } = await import('../bundle/run-bundle-export.ts');
        return runBundleExport(context, { ...args, bundle });
      }
      if (ids.length > 0) {
        throw new SmartForkError('USAGE', 'ids need --bundle FILE', {
          hint: 'Without it, export writes Markdown files of all sessions that match the filters.',
        });
      }
      const { runExport } = await import('./run-export.ts');
      await runExport(context, args);
    }),
});
