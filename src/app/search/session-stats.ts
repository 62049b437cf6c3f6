import type { SessionFilter } from '../../domain/search/search.ts';
import { sumUnread } from '../../domain/session/unread.ts';
import type { ArchiveSize, StatsReport } from '../../domain/summary.ts';
import type { IndexState } from '../../ports/index-state.ts';
import { type PointStore, vectorsOfPassages } from '../../ports/point-store.ts';

const MAX_REPOSITORIES = 12;
const MAX_MONTHS = 12;

interface StatsDependencies {
  store: PointStore;
  state: IndexState;
  kind: string;
  location: string;
  /** Archived transcripts, regardless of the filter. */
  archive: ArchiveSize;
}

/** Counts of the store, pending points (regardless of the filter), and where the sessions come from. */
export async function sessionStats(
  deps: StatsDependencies,
  filter: SessionFilter = {},
): Promise<StatsReport> {
  const { store, state } = deps;
  const [counts, { waiting }, info] = await Promise.all([store.count(filter), store.count(), store.info()]);
  const [repositories, months, agents] = await Promise.all([
    store.facet('repo_name', filter),
    store.facet('month', filter),
    store.facet('agent', filter),
  ]);
  return {
    sessions: counts.sessions,
    chunks: counts.chunks,
    intents: counts.intents,
    vectors: vectorsOfPassages(counts),
    waiting,
    store: { kind: deps.kind, location: deps.location, bytes: counts.bytes, model: info.model?.id ?? null },
    archive: deps.archive,
    last_synced: state.lastSynced(),
    unread: sumUnread(state.unread()),
    by_repo: repositories.slice(0, MAX_REPOSITORIES),
    by_month: months.slice(-MAX_MONTHS),
    by_agent: agents,
  };
}
