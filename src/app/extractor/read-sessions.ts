import type { SessionPayload } from '../../domain/point/point.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { RecentDependencies } from './read-recent-sessions.ts';
import { costOf, readSession } from './read-session.ts';

export interface Cost {
  sessions: number;
  calls: number;
  tokens: number;
}

/** Calls and tokens that it would take to read these sessions; null: all sessions of this machine. */
export async function totalCost(deps: RecentDependencies, ids: string[] | null): Promise<Cost> {
  const total = { sessions: 0, calls: 0, tokens: 0 };
  for await (const session of chosen(deps, ids)) {
    const { calls, tokens } = await costOf(deps, session);
    if (calls === 0) continue;
    total.sessions += 1;
    total.calls += calls;
    total.tokens += tokens;
  }
  return total;
}

/** Reads sessions, newest first, until the day's budget runs out. */
export async function readSessions(deps: RecentDependencies, ids: string[] | null, signal: AbortSignal) {
  const report = { sessions: 0, calls: 0, ideas: 0, dropped: 0, over_budget: false };
  for await (const session of chosen(deps, ids)) {
    if (signal.aborted) break;
    const { calls, ideas, dropped, isOverBudget } = await readSession(deps, session, signal);
    report.sessions += calls > 0 ? 1 : 0;
    report.calls += calls;
    report.ideas += ideas;
    report.dropped += dropped;
    report.over_budget = isOverBudget;
    if (isOverBudget) break;
  }
  return report;
}

function chosen({ store, machine }: RecentDependencies, ids: string[] | null): AsyncIterable<SessionPayload> {
  return eachSession(store, { machine, sessionIds: ids ?? undefined });
}
