import { countUnindexed } from '../../app/index/count-unindexed.ts';
import { NOT_INDEXED } from '../../domain/outage.ts';
import type { Notice } from '../../domain/search-result.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';

interface Local {
  sources: TranscriptSource[];
  file: { open(): Promise<Pick<PointStore, 'info'>>; exists(): boolean; canWrite(): boolean };
  /** Null if there are none. */
  notes: { state: Pick<IndexState, 'sessionsRead' | 'unreadable'>; forgotten: Set<string> } | null;
}

/**
 * How many transcripts no index run has read, without those that it could not or must not read; null if it has read all.
 * @param rules counts those too that were read by other rules.
 */
export async function findUnindexed(
  local: Local,
  running: string[],
  rules: string | undefined,
): Promise<Notice | null> {
  const count = countUnindexed(local.sources, running, await knownTo(local, rules));
  if (count === 0) return null;
  const forThis = rules === undefined ? '' : ' for this filter';
  const message = `${plural(count, 'transcript')} ${count === 1 ? 'is' : 'are'} not indexed${forThis} yet`;
  return !local.file.exists() || local.file.canWrite()
    ? { code: NOT_INDEXED, message, hint: 'smart-fork index' }
    : { code: NOT_INDEXED, message: `${message}: the index is read-only`, hint: 'smart-fork doctor' };
}

async function knownTo({ file, notes }: Local, rules: string | undefined): Promise<Set<string>> {
  if (notes === null) return new Set();
  const { storeId } = await (await file.open()).info();
  return new Set([
    ...notes.state.sessionsRead(storeId, rules),
    ...notes.state.unreadable(),
    ...notes.forgotten,
  ]);
}
