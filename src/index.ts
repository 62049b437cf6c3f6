import { archiveSize } from './app/archive/archive-size.ts';
import { embedPending } from './app/index/embed-pending.ts';
import type { IndexReport } from './app/index/index-report.ts';
import { type IndexRequest, indexTranscripts } from './app/index/index-transcripts.ts';
import { type RetrievedContext, retrieveSession } from './app/read/retrieve-session.ts';
import { type SessionTurns, viewSession } from './app/read/view-session.ts';
import { type SearchRequest, searchSessions } from './app/search/search-sessions.ts';
import { sessionStats } from './app/search/session-stats.ts';
import { findSession } from './app/sessions/find-session.ts';
import { compose, type Parts } from './compose/parts.ts';
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
export type { SessionFilter } from './domain/search/search.ts';
export type { SearchResponse, SearchResult } from './domain/search-result.ts';
export type { SessionRecord } from './domain/session/session.ts';
export type { StatsReport } from './domain/summary.ts';

/** smart-fork as a library. Ids may be unique prefixes everywhere. Every method may throw SmartForkError. */
export interface SmartFork {
  /** Indexes transcripts by words. */
  index(request?: IndexRequest): Promise<IndexReport>;
  /** Embeds what has no vector yet; returns how many points got one. Where a server embeds, nothing waits here. */
  embed(signal?: AbortSignal): Promise<number>;
  search(request: SearchRequest): Promise<SearchResponse>;
  /** Context for injection; `maxTokens` null for all of it. */
  retrieve(id: string, options?: { query?: string; maxTokens?: number | null }): Promise<RetrievedContext>;
  view(id: string): Promise<SessionTurns>;
  session(id: string): Promise<SessionPayload>;
  sessions(filter?: SessionFilter, limit?: number, cursor?: string): Promise<SessionPage>;
  stats(filter?: SessionFilter): Promise<StatsReport>;
  close(): Promise<void>;
}

/** Opens smart-fork with the user's configuration, or with one of the caller's. */
export async function openSmartFork(config?: Config): Promise<SmartFork> {
  return smartForkOf(compose(config ?? (await loadConfig())));
}

function smartForkOf(parts: Parts): SmartFork {
  const { sources, tokenizer, redactor, machine, modelState, archives, transcripts, localId } = parts;
  return {
    index: async (request = {}) => indexTranscripts(await parts.indexing(), request),
    embed: async (signal) =>
      (await modelState()).state === 'server'
        ? 0
        : embedPending(
            { store: await parts.local(), embedder: await parts.embedder() },
            { ...(signal && { signal }) },
          ),
    search: async (request) =>
      searchSessions(
        {
          store: await parts.store(),
          embedder: parts.queries,
          modelState,
          tokenizer,
          sources,
          machine,
          archives,
          localId,
        },
        request,
      ),
    async retrieve(id, { query, maxTokens = 8000 } = {}) {
      const store = await parts.store();
      const session = await findSession(store, id);
      const request = { session, maxTokens, ...(query !== undefined && { query }) };
      return retrieveSession(
        { store, sources, machine, tokenizer, redactor, archives, transcripts, localId },
        request,
      );
    },
    async view(id) {
      const store = await parts.store();
      return viewSession(
        { store, sources, machine, redactor, archives, transcripts, localId },
        await findSession(store, id),
      );
    },
    session: async (id) => findSession(await parts.store(), id),
    sessions: async (filter = {}, limit = 20, cursor) => (await parts.store()).list(filter, limit, cursor),
    stats: async (filter) => {
      const deps = {
        store: await parts.store(),
        state: parts.state(),
        ...parts.storeKind(),
        archive: await archiveSize(parts.archive, parts.config.archive),
      };
      return sessionStats(deps, filter);
    },
    close: () => parts.close(),
  };
}
