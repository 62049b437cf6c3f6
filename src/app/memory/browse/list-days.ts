import type * as z from 'zod';
import type { activeDays } from '../../../domain/json/memory.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import { tellApart } from '../../../domain/session/tell-apart.ts';
import { localDate } from '../../../domain/text/time-text.ts';
import { locateSession } from '../../sessions/locate-session.ts';
import { toSessionCard } from '../../sessions/session-card.ts';
import { listOpen } from '../list-open.ts';
import { timeline } from '../timeline.ts';

type ActiveDay = z.infer<typeof activeDays>['days'][number];

const MAX_SESSIONS = 500;
const MAX_IDEAS = 1000;

/**
 * What happened on each day, newest first: sessions that ended, their commits, decisions and todos.
 * @param limit of sessions, which the others of the earliest day exceed
 */
export async function listDays(
  deps: Parameters<typeof timeline>[0],
  wanted: SessionFilter,
  limit: number,
): Promise<{ days: ActiveDay[]; left: number }> {
  const filter = { ...wanted, since: await startOf(deps, wanted, limit) };
  const [{ sessions }, counts, decided, open] = await Promise.all([
    deps.store.list(filter, MAX_SESSIONS),
    deps.store.count(wanted),
    timeline(deps, { filter, kinds: ['decision'], limit: MAX_IDEAS }),
    listOpen(deps, { filter, kinds: ['todo'], limit: MAX_IDEAS }),
  ]);
  const days = new Map<string, ActiveDay>();
  const first = localDate(filter.since);
  for (const session of tellApart(sessions)) {
    const day = dayOf(days, session.ended_at ?? session.started_at, first);
    day?.sessions.push(toSessionCard(session, locateSession(deps, session)));
    const { session_id } = session;
    day?.commits.push(...session.commits.map(({ hash, subject }) => ({ hash, subject, session_id })));
  }
  for (const idea of decided.sessions.flatMap(({ ideas }) => ideas))
    dayOf(days, idea.timestamp, first)?.decisions.push(idea);
  for (const idea of open.sessions.flatMap(({ ideas }) => ideas))
    dayOf(days, idea.timestamp, first)?.todos.push(idea);
  return {
    days: [...days.values()].sort((a, b) => (a.date < b.date ? 1 : -1)),
    left: Math.max(0, counts.sessions - sessions.length),
  };
}

/** When the day of the earliest session begins. */
async function startOf(
  { store }: Parameters<typeof timeline>[0],
  filter: SessionFilter,
  limit: number,
): Promise<string> {
  const { sessions } = await store.list(filter, limit);
  const { ended_at = null, started_at = null } = sessions.at(-1) ?? {};
  const start = new Date(ended_at ?? started_at ?? filter.since ?? 0);
  start.setHours(0, 0, 0, 0);
  const iso = start.toISOString();
  return filter.since !== undefined && filter.since > iso ? filter.since : iso;
}

/** Null without a time, or before the first day: a session may have begun long before. */
function dayOf(days: Map<string, ActiveDay>, time: string | null, first: string): ActiveDay | null {
  const date = localDate(time);
  if (date < first) return null;
  const day = days.get(date) ?? { date, sessions: [], commits: [], decisions: [], todos: [] };
  days.set(date, day);
  return day;
}
