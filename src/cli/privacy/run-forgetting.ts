import { forgetSessions } from '../../app/privacy/forget-sessions.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { removeExported } from '../../compose/export.ts';
import { openJournal } from '../../compose/fork.ts';
import type { Parts } from '../../compose/parts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { parseTime } from '../../domain/text/parse-time.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { CommandContext, GlobalArguments } from '../run-command.ts';
import { sendSoon } from '../share/run-sending.ts';
import { filterOf } from '../shared/filter-options.ts';
import { withShortIds } from '../shared/short-ids.ts';
import { type Doomed, renderForgetting } from './render-forgetting.ts';

export interface ForgetArguments extends GlobalArguments {
  ids?: string[];
  repo?: string;
  before?: string;
  searches?: boolean;
  yes?: boolean;
  dryRun?: boolean;
}

/** Removes sessions from the index and the archive. Leaves the agents' transcripts alone. */
export async function runForgetting(context: CommandContext, options: ForgetArguments): Promise<void> {
  const { parts, terminal } = context;
  if (options.searches === true) return forgetSearches(context, options);
  const doomed = await selectSessions(context, options);
  const ids = doomed.map(({ id }) => id);
  if (options.dryRun === true) return showDoomed(context, doomed, options);
  if (ids.length > 0 && !(await agreed(context, doomed, options))) return;
  removeExported(parts, ids);
  const isOverwritten = await forgetSessions(
    {
      ...parts,
      store: await parts.store(),
      state: parts.state(),
      localId: (await parts.sharing())?.localId() ?? ((id) => id),
      now: parts.machine.now,
    },
    ids,
  );
  await sendSoon(context);
  if (options.json === true) return terminal.out(JSON.stringify({ forgotten: ids }));
  terminal.out(
    ids.length === 0
      ? 'No matching sessions.'
      : `Forgot ${plural(ids.length, 'session')}. Transcripts in the agents' folders are untouched.`,
  );
  if (!isOverwritten) terminal.err(STILL_READ);
}

/** Forks stay recorded, but without the queries that led to them. */
function forgetSearches({ parts, terminal }: CommandContext, options: ForgetArguments): void {
  if ((options.ids ?? []).length > 0 || options.repo !== undefined || options.before !== undefined)
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

async function selectSessions({ parts }: CommandContext, options: ForgetArguments): Promise<Doomed[]> {
  const store = await parts.store();
  const given = options.ids ?? [];
  if (given.length > 0) {
    if (options.repo !== undefined || options.before !== undefined) {
      throw new SmartForkError('USAGE', 'ids cannot be combined with --repo or --before');
    }
    const found = new Map<string, Doomed>();
    for (const id of given) {
      const one = await findDoomed(parts, store, id);
      found.set(one.id, one);
    }
    return [...found.values()];
  }
  if (options.repo === undefined && options.before === undefined) {
    throw new SmartForkError('USAGE', 'no sessions given', { hint: 'Give ids, --repo or --before.' });
  }
  const now = parts.machine.now();
  const filter: SessionFilter = await filterOf({ repo: options.repo }, parts);
  const before = options.before === undefined ? null : parseTime('--before', options.before, now);
  const found: Doomed[] = [];
  for await (const session of eachSession(store, filter))
    if (before === null || (session.ended_at !== null && session.ended_at < before))
      found.push({ id: session.session_id, session });
  return found;
}

/** An interrupted `forget` may have left a copy in the archive of a session that the index no longer lists. */
async function findDoomed({ archive }: Parts, store: PointStore, id: string): Promise<Doomed> {
  try {
    const session = await findSession(store, id);
    return { id: session.session_id, session };
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'SESSION_NOT_FOUND') throw error;
    const [only, another] = await archive.findByPrefix(id.trim(), 2);
    if (only === undefined || another !== undefined) throw error;
    return { id: only, session: null };
  }
}

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
