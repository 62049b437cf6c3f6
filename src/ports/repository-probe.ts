/** What a folder on this machine says of its repository. */
export interface Repository {
  /** The work tree's top folder. */
  root: string;
  /** URL of the remote `origin` (else the first one), or null. */
  remoteUrl: string | null;
}

/** Looks at a folder; null when it doesn't exist here or is in no repository. Never throws. */
export type RepositoryProbe = (directory: string) => Repository | null;
