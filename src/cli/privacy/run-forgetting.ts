import { openJournal } from '../../compose/fork.ts';
import type { Parts } from '../../compose/parts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { plural } from '../../domain/text/time-text.ts';
import { type Given, readInput } from '../../operations/fields.ts';
import { perform } from '../../operations/operation.ts';
import { type Doomed, forget, sessionsToForget } from '../../operations/privacy/forget.ts';
import { openHere } from '../operation/open-here.ts';
import type { CommandContext, GlobalArguments } from '../run-command.ts';
import { withShortIds } from '../shared/short-ids.ts';
import { renderForgetting } from './render-forgetting.ts';

export type ForgetGiven = Given<typeof forget.fields>;

interface ForgetArguments extends GlobalArguments {
  searches?: boolean;
  yes?: boolean;
}

/** Removes sessions from the index and the archive. Leaves the agents' transcripts alone. */
export async function runForgetting(
  context: CommandContext,
  given: ForgetGiven,
  options: ForgetArguments,
): Promise<void> {
  const { terminal } = context;
  if (options.searches === true) return forgetSearches(context, given, options);
  const { open, caller } = openHere(context);
  const doomed = await sessionsToForget(open, readInput(forget.fields, given, caller.nameOf), caller);
  const ids = doomed.map(({ id }) => id);
  if (given.dry_run === true) return showDoomed(context, doomed, options);
  if (ids.length > 0 && !(await agreed(context, doomed, options))) return;
  const { forgotten, wiped } =
    ids.length === 0 ? { forgotten: ids, wiped: true } : await perform(forget, open, { ids }, caller);
  if (options.json === true) return terminal.out(JSON.stringify({ forgotten }));
  terminal.out(
    forgotten.length === 0
      ? 'No matching sessions.'
      : `Forgot ${plural(forgotten.length, 'session')}. Transcripts in the agents' folders are untouched.`,
  );
  if (!wiped) terminal.err(STILL_READ);
}

/** Forks stay recorded, but without the queries that led to them. */
function forgetSearches(
  { parts, terminal }: CommandContext,
  { ids = [], repo, before }: ForgetGiven,
  options: ForgetArguments,
): void {
  if (ids.length > 0 || repo !== undefined || before !== undefined)
    throw new SmartForkError('USAGE', '--searches cannot be combined with sessions to forget');
  const journal = openJournal(parts.config);
  try {
    const { count, isOverwritten } = journal.forgetQueries();
    if (options.json === true) terminal.out(JSON.stringify({ searches: count }));
    else
      terminal.out(count === 0 ? 'No searches to forget.' : `Forgot ${plural(count, 'search', 'searches')}.`);
    if (!isOverwritten) terminal.err(STILL_READ);
  } finally {
    journal.close();
  }
}

const STILL_READ =
  'Another smart-fork process is reading: deleted text may stay in state.db-wal until it ends. Then run smart-fork index.';

async function showDoomed(
  context: CommandContext,
  doomed: Doomed[],
  options: ForgetArguments,
): Promise<void> {
  const { parts, terminal } = context;
  const ids = doomed.map(({ id }) => id);
  if (options.json === true) return terminal.out(JSON.stringify({ forgotten: [], would_forget: ids }));
  if (ids.length === 0) return terminal.out('No matching sessions.');
  const look = await withShortIds(terminal, parts, ids);
  terminal.out(renderForgetting(doomed, lastCopies(parts, ids), look, parts.machine.now()));
}

async function agreed(context: CommandContext, doomed: Doomed[], options: ForgetArguments): Promise<boolean> {
  if (options.yes === true) return true;
  const { parts, terminal } = context;
  const sessions = plural(doomed.length, 'session');
  const warning = lastCopies(
    parts,
    doomed.map(({ id }) => id),
  );
  if (terminal.interactive) await showDoomed(context, doomed, { ...options, json: false });
  const { confirm } = await import('../terminal/prompt.ts');
  const hint = [`Add --yes to forget ${sessions}, or --dry-run to see them.`, warning].join(' ').trim();
  return confirm(`Forget ${sessions}?`, { terminal, defaultYes: false, hint });
}

/** A warning if the archive has the last copy of a transcript that the agent deleted. */
function lastCopies({ archive, sources }: Parts, ids: string[]): string {
  const here = new Set(sources.flatMap((source) => source.find()).map(({ sessionId }) => sessionId));
  const last = ids.filter((id) => !here.has(id) && archive.mayHold({ session_id: id }));
  if (last.length === 0) return '';
  const which = last.length === ids.length ? '' : ` of ${last.length} of them`;
  return `The archive has the only copy${which}, and it will be deleted too.`;
}
