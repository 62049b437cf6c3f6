import { readUsage } from '../../app/usage/read-usage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { UsageReport } from '../../domain/usage/usage-report.ts';
import type { Parts } from '../parts.ts';

/** Token usage of this machine's sessions. */
export async function usageHere(parts: Parts, filter: SessionFilter): Promise<UsageReport> {
  const { sources, config } = parts;
  const deps = { sources, store: await parts.local(), state: parts.state(), prices: config.prices };
  return readUsage(deps, filter);
}
