/** The id of a machine's copy that diverged from the copy of the same id elsewhere. */
export function copyId(sessionId: string, machine: string): string {
  return `${nativeId(sessionId)}@${machine}`;
}

/** An id as it can stand in a sentence with a command; the placeholder ID for one that a shell would interpret. */
export function idToType(sessionId: string): string {
  return /^\w[\w.@-]*$/.test(sessionId) ? sessionId : 'ID';
}

/** The agent's own id of a session, which has no `@`. */
export function nativeId(sessionId: string): string {
  const at = sessionId.indexOf('@');
  return at < 0 ? sessionId : sessionId.slice(0, at);
}
