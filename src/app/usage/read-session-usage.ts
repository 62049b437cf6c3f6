import type { Price } from '../../domain/usage/price.ts';
import { type SessionTokens, sumBySession } from '../../domain/usage/usage-report.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { type CountDependencies, countUsage } from './count-usage.ts';

type Dependencies = CountDependencies & { prices: Price[] };

/** Usage of one session; null if none was counted. What its transcript has new is counted first, together with all others'. */
export async function readSessionUsage(
  deps: Dependencies,
  sessionId: string,
  transcript: TranscriptFile | null,
): Promise<SessionTokens | null> {
  if (transcript !== null && hasMore(deps, transcript)) await countUsage(deps);
  return sumBySession(deps.state.usage({ sessionId }), deps.prices).get(sessionId) ?? null;
}

/** Usage of all sessions of this machine. */
export async function readUsageBySession(deps: Dependencies): Promise<Map<string, SessionTokens>> {
  await countUsage(deps);
  return sumBySession(deps.state.usage(), deps.prices);
}

function hasMore({ sources, state }: Dependencies, file: TranscriptFile): boolean {
  const usage = sources.find(({ agent }) => agent === file.agent)?.usage;
  if (usage === undefined || file.onlyPrompts === true) return false;
  const counted = state.countedFiles();
  return usage.files(file).some(({ path, size, inode }) => {
    const known = counted.get(path);
    return known?.size !== size || known.inode !== inode;
  });
}
