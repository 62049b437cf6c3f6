import type { SessionFilter } from '../../domain/search/search.ts';
import type { Price, UsageSource } from '../../domain/usage/usage.ts';
import { reportUsage, type UsageReport } from '../../domain/usage/usage-report.ts';
import { eachSession } from '../../ports/point-store.ts';
import { type CountDependencies, countUsage } from './count-usage.ts';

/** What this machine's sessions used. `since` and `until` choose requests, the other filters sessions. */
export async function readUsage(
  deps: CountDependencies & { prices: Price[] },
  { since, until, ...filter }: SessionFilter,
): Promise<UsageReport> {
  await countUsage(deps);
  const sessions = new Map<string, UsageSource>();
  for await (const { session_id, agent, repo_name } of eachSession(deps.store, filter))
    sessions.set(session_id, { agent, repo: repo_name });
  const period = {
    ...(since !== undefined && { since: Date.parse(since) }),
    ...(until !== undefined && { until: Date.parse(until) }),
  };
  return reportUsage(deps.state.usage(period), sessions, deps.prices);
}
