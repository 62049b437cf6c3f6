import type { Argv } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, type GlobalArguments, runCommand } from '../run-command.ts';

interface CompareArguments extends GlobalArguments {
  id: string;
  other: string;
}

export const compareCommand = {
  command: 'compare <id> <other>',
  describe: 'compare two sessions: prompts, decisions, files and commits',
  builder: (yargs: Argv) =>
    yargs
      .positional('id', { type: 'string', demandOption: true, describe: 'session id or prefix' })
      .positional('other', { type: 'string', demandOption: true, describe: 'session id or prefix' })
      .option('json', { type: 'boolean', describe: 'print the comparison as JSON' })
      .example('$0 compare 8402b1ed 1c0ffee5', 'compare two attempts'),
  handler: (args: CompareArguments) => runCommand(args, (context) => compare(context, args)),
};

async function compare({ parts, terminal, env }: CommandContext, args: CompareArguments): Promise<void> {
  const { findSession } = await import('../../app/sessions/find-session.ts');
  const { compareSessions } = await import('../../app/read/compare-sessions.ts');
  const store = await parts.store();
  const [first, second] = [await findSession(store, args.id), await findSession(store, args.other)];
  if (first.session_id === second.session_id)
    throw new SmartForkError('USAGE', `${args.id} and ${args.other} are the same session`, {
      hint: 'smart-fork show prints a single session.',
    });
  const comparison = await compareSessions({ ...parts, store }, first, second);
  if (args.json === true) return terminal.out(JSON.stringify(comparison));
  const { renderComparison } = await import('./render-comparison.ts');
  const { withShortIds } = await import('../shared/short-ids.ts');
  const { page } = await import('../terminal/pager.ts');
  const look = await withShortIds(terminal, parts, [first.session_id, second.session_id]);
  await page(renderComparison(comparison, look, { nowMs: parts.machine.now() }), terminal, env);
}
