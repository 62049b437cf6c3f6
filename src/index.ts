import { archiveSize } from './app/archive/archive-size.ts';
import { embedPending } from './app/index/embed-pending.ts';
import type { IndexReport } from './app/index/index-report.ts';
import { type IndexRequest, indexTranscripts } from './app/index/index-transcripts.ts';
import { type RetrievedContext, retrieveSession } from './app/read/retrieve-session.ts';
import { type SessionTurns, viewSession } from './app/read/view-session.ts';
import { type SearchRequest, searchSessions } from './app/search/search-sessions.ts';
import { sessionStats } from './app/search/session-stats.ts';
import { findSession } from './app/sessions/find-session.ts';
import { compose, type Parts, storePlace } from './compose/parts.ts';
import { type Config, loadConfig } from './config/config.ts';
import type { SessionPayload } from './domain/point/point.ts';
import type { SessionFilter } from './domain/search/search.ts';
import type { SearchResponse } from './domain/search-result.ts';
import type { StatsReport } from './domain/summary.ts';
import type { SessionPage } from './ports/point-store.ts';

export type { IndexReport } from './app/index/index-report.ts';
export type { IndexRequest } from './app/index/index-transcripts.ts';
export type { RetrievedContext } from './app/read/retrieve-session.ts';
export type { SessionTurns } from './app/read/view-session.ts';
export type { SearchRequest } from './app/search/search-sessions.ts';
export { type Config, loadConfig } from './config/config.ts';
export { type ErrorCode, SmartForkError } from './domain/errors.ts';
export type { SessionPayload } from './domain/point/point.ts';
export type { Understood } from './domain/query/understanding.ts';
export type { SessionFilter } from './domain/search/search.ts';
export type { SearchResponse, SearchResult } from './domain/search-result.ts';
export type { SessionRecord } from './domain/session/session.ts';
export type { StatsReport } from './domain/summary.ts';

/** smart-fork as a library. Any id may be a unique prefix. Every method may throw SmartForkError. */
export interface SmartFork {
  /** Indexes transcripts for keyword search. */
  index(request?: IndexRequest): Promise<IndexReport>;
  /** Embeds passages without a vector and returns their number; 0 if a server embeds. */
  embed(signal?: AbortSignal): Promise<number>;
  search(request: SearchRequest): Promise<SearchResponse>;
  /** A session's context for injection; the whole context if `maxTokens` is null. */
  retrieve(id: string, options?: { query?: string; maxTokens?: number | null }): Promise<RetrievedContext>;
  view(id: string): Promise<SessionTurns>;
  session(id: string): Promise<SessionPayload>;
  sessions(filter?: SessionFilter, limit?: number, cursor?: string): Promise<SessionPage>;
  stats(filter?: SessionFilter): Promise<StatsReport>;
  close(): Promise<void>;
}

/** Opens smart-fork with the given configuration; defaults to the user's. */
export async function openSmartFork(config?: Config): Promise<SmartFork> {
  return smartForkOf(compose(config ?? (await loadConfig())));
}

function smartForkOf(parts: Parts): SmartFork {
  return {
    index: async (request = {}) => indexTranscripts(await parts.indexing(), request),
    embed: async (signal) =>
      (await parts.embedding.state()).state === 'server'
        ? 0
        : embedPending(
            { store: await parts.local(), embedder: await parts.embedding.embedder() },
            { signal },
          ),
    search: async (request) => searchSessions({ ...parts, store: await parts.store() }, request),
    async retrieve(id, { query, maxTokens = 8000 } = {}) {
      const store = await parts.store();
      const session = await findSession(store, id);
      const request = { session, maxTokens, query };
      return retrieveSession({ ...parts, store }, request);
    },
    async view(id) {
      const store = await parts.store();
      return viewSession({ ...parts, store }, await findSession(store, id));
    },
    session: async (id) => findSession(await parts.store(), id),
    sessions: async (filter = {}, limit = 20, cursor) => (await parts.store()).list(filter, limit, cursor),
    stats: async (filter) => {
      const deps = {
        store: await parts.store(),
        state: parts.state(),
        ...storePlace(parts.config),
        archive: await archiveSize(parts.archive, parts.config.archive),
      };
      return sessionStats(deps, filter);
    },
    close: () => parts.close(),
  };
}
