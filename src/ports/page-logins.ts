import type * as z from 'zod';
import type { loginList } from '../domain/json/state.ts';

/** A browser that is signed in to the page of `serve`. Times are ISO 8601 UTC. */
export type PageLogin = z.infer<typeof loginList>['logins'][number];

/**
 * The browsers that are signed in. They stay so when the server restarts.
 *
 * - What another process ends is ended for the server at once.
 * - An expired login counts as ended.
 */
export interface PageLogins {
  add(id: string, login: Pick<PageLogin, 'expires' | 'browser'>): void;
  /** Whether this login is valid. Notes that it was used. */
  use(id: string): boolean;
  /** Last used first. */
  list(): PageLogin[];
  end(id: string): void;
}
