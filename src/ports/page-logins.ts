/** A browser that is signed in to the page of `serve`. */
export interface PageLogin {
  /** Names the login, but does not give access. */
  id: string;
  /** All times are ISO 8601 UTC. */
  since: string;
  /** To the minute. */
  last_used: string;
  expires: string;
  /** Such as `Firefox on Linux`; null if unknown. */
  browser: string | null;
}

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
