/** Files that hand a session's context to an agent; the user's alone. */
export interface ContextFiles {
  /** Writes one and returns its path. Those of long ago are removed by the way. */
  write(sessionId: string, markdown: string): string;
  remove(path: string): void;
}
