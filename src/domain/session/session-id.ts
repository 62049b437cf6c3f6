/** The id of a machine's copy that went another way than the one of the same id elsewhere. */
export function copyId(sessionId: string, machine: string): string {
  return `${nativeId(sessionId)}@${machine}`;
}

/** What the agent itself calls a session; its own ids have no `@`. */
export function nativeId(sessionId: string): string {
  const at = sessionId.indexOf('@');
  return at < 0 ? sessionId : sessionId.slice(0, at);
}
