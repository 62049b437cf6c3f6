import { readSessionUsage, readUsageBySession } from '../../app/usage/read-session-usage.ts';
import { readUsage } from '../../app/usage/read-usage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { SessionTokens, UsageReport } from '../../domain/usage/usage-report.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import type { Parts } from '../parts.ts';

/** Token usage of this machine's sessions. */
export async function usageHere(parts: Parts, filter: SessionFilter): Promise<UsageReport> {
  return readUsage(await usageParts(parts), filter);
}

export async function sessionUsageHere(
  parts: Parts,
  sessionId: string,
  transcript: TranscriptFile | null,
): Promise<SessionTokens | null> {
  return readSessionUsage(await usageParts(parts), sessionId, transcript);
}

export async function usageBySessionHere(parts: Parts): Promise<Map<string, SessionTokens>> {
  return readUsageBySession(await usageParts(parts));
}

async function usageParts(parts: Parts) {
  const { sources, config } = parts;
  return { sources, store: await parts.local(), state: parts.state(), prices: config.prices };
}
