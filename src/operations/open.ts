import type { Threads } from '../app/archive/put-transcript.ts';
import type { AskDependencies } from '../app/fork/ask-session.ts';
import type { PreflightDependencies } from '../app/fork/preflight.ts';
import type { IndexDependencies } from '../app/index/index-transcripts.ts';
import type { TurnCache } from '../app/read/turns/open-turns.ts';
import type { Limit } from '../app/search/limit-store.ts';
import type { SearchDependencies } from '../app/search/search-sessions.ts';
import type { TraceDependencies } from '../app/trace/trace-commit.ts';
import type { ProseHtml } from '../domain/html/session-html.ts';
import type { Outage } from '../domain/outage.ts';
import type { RankingName, SearchMode } from '../domain/search/search.ts';
import type { Notice } from '../domain/search-result.ts';
import type { ErrorLog } from '../ports/error-log.ts';
import type { RepositoryProbe, TranscriptFiles } from '../ports/machine.ts';
import type { PageLogins } from '../ports/page-logins.ts';
import type { PointStore, SharedStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { SessionArchive } from '../ports/session-archive.ts';
import type { Caller } from './caller.ts';
import type { Reports } from './reports.ts';

/** What operations work with. Nothing is opened before it is asked for. */
export interface Open extends Omit<SearchDependencies, 'store'> {
  /** @throws SmartForkError STORE_UNAVAILABLE if nothing is indexed, unless the door indexes first */
  store(): Promise<PointStore | SharedStore>;
  /** The repository whose sessions alone the caller may see; null for all. The store has no others. */
  limit(): Promise<Limit | null>;
  storeExists(): boolean;
  /** Why the answers so far lack something; null if they do not. */
  outage(): Outage | null;
  /** See `Parts.unindexed`. */
  unindexed(running: string[], again?: boolean): Promise<Notice | null>;
  probe: RepositoryProbe;
  redactor: Redactor;
  /** Null if the user wants no logs. */
  errors: ErrorLog | null;
  archive: SessionArchive;
  transcripts: TranscriptFiles;
  /** Turns read before, at a door that answers many requests. */
  cache: TurnCache;
  settings: SearchSettings;
  /** Sends pending changes to the server, if there is one. */
  send(caller: Caller): Promise<void>;
  /** Turns text of a transcript into HTML. */
  proseHtml(): Promise<ProseHtml>;
  git(): Promise<TraceDependencies['git']>;
  fork(): Promise<AskDependencies & PreflightDependencies>;
  /** The agents' own programs, which put sessions back into their databases. */
  threads(): Promise<Threads>;
  indexing(): Promise<IndexDependencies>;
  /** Embeds what has no vector. The number of texts; 0 if a server embeds. */
  embed(signal?: AbortSignal): Promise<number>;
  /** Forgets sessions. False if deleted text may stay in a database's log because another process is reading. */
  forget(sessionIds: string[]): Promise<boolean>;
  /** The browsers that are signed in to the page. */
  logins: PageLogins;
  reports: Reports;
}

interface SearchSettings {
  mode: SearchMode;
  ranking: RankingName;
  minScore?: number;
  maxResults: number;
  preferRepository: boolean;
}

/** The parts with their store open. */
export async function opened(open: Open) {
  return { ...open, store: await open.store() };
}
