import type { SessionFilter } from '../../domain/search/search.ts';
import type { Price } from '../../domain/usage/price.ts';
import type { UsageSource } from '../../domain/usage/usage.ts';
import { reportUsage, type UsageReport } from '../../domain/usage/usage-report.ts';
import { eachSession } from '../../ports/point-store.ts';
import { type CountDependencies, countUsage } from './count-usage.ts';

/** Usage of this machine's sessions. `since` and `until` select requests; the other filters select sessions. */
export async function readUsage(
  deps: CountDependencies & { prices: Price[] },
  { since, until, ...filter }: SessionFilter,
): Promise<UsageReport> {
  await countUsage(deps);
  const sessions = new Map<string, UsageSource>();
  for await (const { session_id, agent, repo_name } of eachSession(deps.store, filter))
    sessions.set(session_id, { agent, repo: repo_name });
  const period = {
    since: since === undefined ? undefined : Date.parse(since),
    until: until === undefined ? undefined : Date.parse(until),
  };
  return reportUsage(
    { usage: deps.state.usage(period), hours: deps.state.hours(period) },
    sessions,
    deps.prices,
  );
}
