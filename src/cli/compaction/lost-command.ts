import type { Argv } from 'yargs';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';
import { numberOption } from '../shared/number-option.ts';

const DEFAULT_TOKENS = 2000;

interface LostArguments extends GlobalArguments {
  id?: string;
  maxTokens?: number;
}

export const lostCommand = {
  command: 'lost [id]',
  describe: 'show what the summary of the last compaction left out',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        describe: 'session id or prefix (default: the running session)',
      })
      .option(
        'max-tokens',
        numberOption('--max-tokens', {
          min: 100,
          describe: `maximum length of the text in tokens (default ${DEFAULT_TOKENS})`,
        }),
      )
      .option('json', { type: 'boolean', describe: 'print the lines as JSON' })
      .example('$0 lost 8402b1ed', 'see what a compaction dropped'),
  handler: (args: LostArguments) => runCommand(args, (context) => lost(context, args)),
};

async function lost({ parts, terminal, env }: CommandContext, args: LostArguments): Promise<void> {
  const { findTranscript } = await import('../../app/sessions/find-session.ts');
  const id = args.id ?? runningSessions(parts)[0];
  if (id === undefined)
    throw new SmartForkError('USAGE', 'not running inside a session', {
      hint: 'Give an id: smart-fork lost ID. smart-fork sessions lists ids.',
    });
  const file = findTranscript(parts.sources, id);
  const source = parts.sources.find(({ agent }) => agent === file?.agent);
  if (file === null || source === undefined)
    throw new SmartForkError('SESSION_NOT_FOUND', `no transcript of ${id} on this machine`, {
      hint: 'Compactions are only in the transcript; smart-fork restore restores an archived one.',
    });
  const { findLost } = await import('../../app/compaction/find-lost.ts');
  const maxTokens = args.maxTokens ?? DEFAULT_TOKENS;
  const found = await findLost(parts, { source, file, maxTokens });
  if (args.json === true) return terminal.out(JSON.stringify(found));
  const { renderLost } = await import('./render-lost.ts');
  const { withShortIds } = await import('../shared/short-ids.ts');
  const { page } = await import('../terminal/pager.ts');
  const look = await withShortIds(terminal, parts, [found.session_id]);
  await page(renderLost(found, look), terminal, env);
}
