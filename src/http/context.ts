import type { TurnCache } from '../app/read/turns/open-turns.ts';
import type { SearchDependencies } from '../app/search/search-sessions.ts';
import type { ForkParts } from '../compose/fork.ts';
import type { Parts } from '../compose/parts.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { LiveEvents } from './live-events.ts';
import type { Login } from './security/login.ts';

export interface HttpDependencies {
  parts: PartsInUse;
  version: string;
  login: Login;
  /** Whether a Host header refers to this server. */
  isOurHost(host: string): boolean;
  live: LiveEvents;
  pageFolder: string;
  log(message: string): void;
}

/** The parts, replaced when settings change. Their store is reopened after a `reindex`. */
export interface PartsInUse {
  use<T>(work: (context: RequestContext) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a request works with. */
export interface RequestContext {
  parts: Parts;
  fork: ForkParts;
  cache: TurnCache;
  /** The request comes from the page, which searches while the user types. */
  fromPage?: boolean;
}

/** The store. A reader must not create it. */
export async function openStore({ parts }: Pick<RequestContext, 'parts'>): Promise<PointStore> {
  if (parts.storeExists()) return parts.store();
  throw new SmartForkError('STORE_UNAVAILABLE', 'nothing is indexed on this machine yet', {
    hint: 'Run smart-fork index; a few hundred sessions take a few seconds.',
  });
}

export async function searchDependencies(open: RequestContext): Promise<SearchDependencies> {
  return { ...open.parts, store: await openStore(open) };
}
