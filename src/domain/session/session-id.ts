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

const SHORT = 8;
/** With the milliseconds: sessions that began within about 65 s share the first 8 characters of a UUIDv7. */
const SHORT_BY_TIME = 13;

/** The first characters of a session's id, enough to tell sessions apart. */
export function shortId(sessionId: string): string {
  return sessionId.slice(0, isByTime(sessionId) ? SHORT_BY_TIME : SHORT);
}

/** As `shortId`, with as many more characters as tell each session from the others. */
export function shortIdAmong(sessionIds: string[]): (sessionId: string) => string {
  const lengths = new Map<string, number>();
  const sorted = [...new Set(sessionIds)].sort();
  const tellApart = (id: string, length: number) => lengths.set(id, Math.max(lengths.get(id) ?? 0, length));
  for (const [at, id] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next === undefined) break;
    let shared = 0;
    while (shared < id.length && id[shared] === next[shared]) shared++;
    tellApart(id, shared + 1);
    tellApart(next, shared + 1);
  }
  return (id) => id.slice(0, Math.max(shortId(id).length, lengths.get(id) ?? 0));
}

/** UUIDv7, which begins with the time; Codex uses it. */
function isByTime(sessionId: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i.test(sessionId);
}

/** The id under which the transcript of a session's subagent is archived. */
export function subagentId(sessionId: string, agentId: string): string {
  return `${sessionId}${SUBAGENT}${agentId}`;
}

/** The subagent of such an id; null for the id of a session. */
export function agentOf(sessionId: string): string | null {
  const at = sessionId.lastIndexOf(SUBAGENT);
  return at < 0 ? null : sessionId.slice(at + SUBAGENT.length);
}

/** The session of such an id; the id itself for the id of a session. */
export function ownerOf(sessionId: string): string {
  const at = sessionId.lastIndexOf(SUBAGENT);
  return at < 0 ? sessionId : sessionId.slice(0, at);
}

const SUBAGENT = '.agent-';
