import { readTime } from '../../app/search/read-time.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { ambiguous, damagedIds } from '../../app/sessions/missing-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { damagedIn, eachSession, type PointStore } from '../../ports/point-store.ts';
import type { Caller } from '../caller.ts';
import { flag, type Input, sessionIds, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

const fields = {
  ids: { ...sessionIds, least: 0 },
  repo: { ...filters.repo, about: 'forget all sessions of a repository: ., a path, a name or owner/name' },
  before: text({
    about: 'forget sessions that ended before a date, or an age such as "6 months"',
    min: 1,
    max: 60,
  }),
  dry_run: flag({ about: 'list the sessions without forgetting them' }),
};

/** `wiped` is false if the deleted text may still be in a database's log because another process is reading. */
export interface Forgotten {
  forgotten: string[];
  would_forget?: string[];
  wiped: boolean;
}

export const forget = operation({
  summary: 'remove sessions from the index and the archive',
  effect: 'sends',
  fields,
  changes: ({ dry_run }) => dry_run !== true,
  async run(open, input, caller): Promise<Forgotten> {
    const ids = (await sessionsToForget(open, input, caller)).map(({ id }) => id);
    if (input.dry_run === true) return { forgotten: [], would_forget: ids, wiped: true };
    return { forgotten: ids, wiped: await open.forget(ids) };
  },
});

export interface Doomed {
  id: string;
  /** Null for a session of which only the archive is left, or whose record is damaged. */
  session: SessionPayload | null;
}

/** @throws SmartForkError USAGE if no sessions are given, or in two ways at once; SESSION_NOT_FOUND */
export async function sessionsToForget(
  open: Open,
  { ids = [], repo, before }: Input<typeof fields>,
  caller: Caller,
): Promise<Doomed[]> {
  const { nameOf } = caller;
  const hasFilter = repo !== undefined || before !== undefined;
  if (ids.length > 0 && hasFilter)
    throw new SmartForkError('USAGE', `ids cannot be combined with ${nameOf('repo')} or ${nameOf('before')}`);
  if (ids.length === 0 && !hasFilter)
    throw new SmartForkError('USAGE', 'no sessions given', {
      hint: `Give ids, ${nameOf('repo')} or ${nameOf('before')}.`,
    });
  const store = await open.store();
  const found = new Map<string, Doomed>();
  for (const id of ids) {
    const one = await findDoomed(open, store, id);
    found.set(one.id, one);
  }
  if (!hasFilter) return [...found.values()];
  const filter = await filterOf(open, { repo }, caller);
  const end = before === undefined ? null : await readTime(open, nameOf('before'), before);
  const isDoomed = ({ ended_at }: { ended_at: string | null }) =>
    end === null || (ended_at !== null && ended_at < end);
  for await (const session of eachSession(store, filter))
    if (isDoomed(session)) found.set(session.session_id, { id: session.session_id, session });
  for (const { session_id: id } of (await damagedIn(store, filter)).filter(isDoomed))
    if (!found.has(id)) found.set(id, { id, session: null });
  return [...found.values()];
}

/**
 * A damaged record leaves nothing but an id to find its session by, and an interrupted `forget` may have left a copy in the archive of a
 * session that the index no longer lists.
 */
async function findDoomed({ archive }: Open, store: PointStore, idOrPrefix: string): Promise<Doomed> {
  const wanted = idOrPrefix.trim();
  const damaged = await damagedIds(store, wanted);
  try {
    const session = await findSession(store, wanted);
    const ids = new Set([session.session_id, ...damaged]);
    if (ids.size > 1 && !ids.has(wanted)) throw ambiguous(wanted, [...ids]);
    return { id: session.session_id, session };
  } catch (error) {
    const isMissing = error instanceof SmartForkError && error.code === 'SESSION_NOT_FOUND';
    if (!isMissing || (await store.findByIdPrefix(wanted, damaged.length + 1)).length > 0) throw error;
    if (damaged.includes(wanted) || (await store.getHashes(wanted)).size > 0)
      return { id: wanted, session: null };
    const ids = new Set([...damaged, ...(await archive.findByPrefix(wanted, 2))]);
    const [only, another] = ids;
    if (only === undefined || another !== undefined) throw error;
    return { id: only, session: null };
  }
}
