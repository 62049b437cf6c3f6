import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { type FilterArguments, withFilters } from '../shared/filter-options.ts';

interface ExportArguments extends GlobalArguments, FilterArguments {
  to?: string | undefined;
  qmd?: boolean | undefined;
}

export const exportCommand = {
  command: 'export',
  describe: 'write sessions as Markdown files, for other tools',
  builder: (yargs: Argv) =>
    withFilters(
      yargs
        .option('to', {
          type: 'string',
          requiresArg: true,
          describe: 'folder to write to (default: export in the home of smart-fork)',
        })
        .option('qmd', {
          type: 'boolean',
          describe: 'also update the collections claude-sessions and codex-sessions of qmd',
        })
        .option('json', { type: 'boolean', describe: 'print the result as JSON' }),
    )
      .epilogue(
        'A file per session: claude/ID.md or codex/ID.md. Only sessions that changed are written again, and files of sessions that are no longer indexed are removed, unless filters are given. Secrets are redacted, as in the index.',
      )
      .example('$0 export --to ~/notes/sessions', 'write every indexed session')
      .example('$0 export --qmd', 'write them, and let qmd search them'),
  handler: (args: ExportArguments) =>
    runCommand(args, async (context) => {
      const { runExport } = await import('./run-export.ts');
      await runExport(context, args);
    }),
};
