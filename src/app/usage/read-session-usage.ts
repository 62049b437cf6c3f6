import { SmartForkError } from '../../domain/errors.ts';
import type { Price } from '../../domain/usage/price.ts';
import { type SessionTokens, sumBySession } from '../../domain/usage/usage-report.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import type { CountedFile } from '../../ports/usage/usage-records.ts';
import { type CountDependencies, countUsage } from './count-usage.ts';

type Dependencies = CountDependencies & { prices: Price[] };

/**
 * Usage of one session; null if none was counted. What its transcript has new is counted first, together with all others', unless
 * that would take long or cannot be stored: then what was counted before is returned.
 */
export async function readSessionUsage(
  deps: Dependencies,
  sessionId: string,
  transcript: TranscriptFile | null,
): Promise<SessionTokens | null> {
  if (transcript !== null) {
    const counted = deps.state.countedFiles();
    if (hasMore(deps, transcript, counted) && isQuick(deps, counted)) await countIfPossible(deps);
  }
  return sumBySession(deps.state.usage({ sessionId }), deps.prices).get(sessionId) ?? null;
}

/** Usage of all sessions of this machine. */
export async function readUsageBySession(deps: Dependencies): Promise<Map<string, SessionTokens>> {
  await countUsage(deps);
  return sumBySession(deps.state.usage(), deps.prices);
}

/** About a second of reading. */
const MOST_BYTES = 100 * 1024 * 1024;

type Counted = Map<string, CountedFile>;

function isQuick({ sources }: Dependencies, counted: Counted): boolean {
  const files = sources.flatMap(({ usage, find }) =>
    usage === undefined ? [] : find().flatMap(usage.files),
  );
  const left = files.filter(({ path, size }) => counted.get(path)?.size !== size);
  return left.reduce((sum, { size }) => sum + size, 0) <= MOST_BYTES;
}

/** A read-only disk does not keep a session from being shown. */
async function countIfPossible(deps: Dependencies): Promise<void> {
  try {
    await countUsage(deps);
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'STORE_UNAVAILABLE') throw error;
  }
}

function hasMore({ sources }: Dependencies, file: TranscriptFile, counted: Counted): boolean {
  const usage = sources.find(({ agent }) => agent === file.agent)?.usage;
  if (usage === undefined || file.onlyPrompts === true) return false;
  return usage.files(file).some(({ path, size, inode }) => {
    const known = counted.get(path);
    return known?.size !== size || known.inode !== inode;
  });
}
