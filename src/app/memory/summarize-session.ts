import { type SummaryLine, summarize } from '../../domain/memory/summarize.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { CommitDependencies } from './commits-since.ts';
import { ideasNow } from './list-open.ts';

const MAX_SPANS = 200;
const MAX_IDEAS = 2000;

/** A session's summary, in words of its transcript; empty if nothing was extracted. */
export async function summarizeSession(
  deps: CommitDependencies & { store: Pick<PointStore, 'listMemory'> },
  sessionId: string,
): Promise<SummaryLine[]> {
  const only = { sessions: { sessionIds: [sessionId] } };
  const [spans, ideas] = await Promise.all([
    deps.store.listMemory('span', only, MAX_SPANS),
    deps.store.listMemory('idea', only, MAX_IDEAS),
  ]);
  return summarize(spans, await ideasNow(deps, ideas));
}
