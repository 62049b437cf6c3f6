/** The id for this machine's copy of a session, if it diverged from a copy with the same id elsewhere. */
export function copyId(sessionId: string, machine: string): string {
  return `${nativeId(sessionId)}@${machine}`;
}

/** An id for use in a command within a sentence; the placeholder ID if a shell would interpret it. */
export function idToType(sessionId: string): string {
  return /^\w[\w.@-]*$/.test(sessionId) ? sessionId : 'ID';
}

/** The agent's own session id, which contains no `@`. */
export function nativeId(sessionId: string): string {
  const at = sessionId.indexOf('@');
  return at < 0 ? sessionId : sessionId.slice(0, at);
}

const SHORT = 8;
/** Includes the milliseconds: UUIDv7s created within about 65 s share their first 8 characters. */
const SHORT_BY_TIME = 13;

/** The first characters of a session id, enough to distinguish most sessions. */
export function shortId(sessionId: string): string {
  return sessionId.slice(0, isByTime(sessionId) ? SHORT_BY_TIME : SHORT);
}

/** Like `shortId`, with as many more characters as it takes to distinguish these sessions. */
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

/** Whether an id is a UUIDv7, which begins with the time; Codex uses them. */
function isByTime(sessionId: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i.test(sessionId);
}

/** The id under which a subagent's transcript is archived. */
export function subagentId(sessionId: string, agentId: string): string {
  return `${sessionId}${SUBAGENT}${agentId}`;
}

/** The subagent in such an id; null for a session's id. */
export function agentOf(sessionId: string): string | null {
  const at = sessionId.lastIndexOf(SUBAGENT);
  return at < 0 ? null : sessionId.slice(at + SUBAGENT.length);
}

/** The session in such an id; a session's id unchanged. */
export function ownerOf(sessionId: string): string {
  const at = sessionId.lastIndexOf(SUBAGENT);
  return at < 0 ? sessionId : sessionId.slice(0, at);
}

const SUBAGENT = '.agent-';

/**
 * Whether a text is a subagent's id: the agent's own id, after the folders in which its transcript is. `../../` is the folder of the
 * session's own transcript. Ids come from archives and bundles too, and become paths.
 */
export function isAgentId(text: string): boolean {
  return AGENT_ID.test(text) && !text.includes(SUBAGENT);
}

/** A member of a team is called `name@team`. What no file may be called on some system, no id contains. */
const AGENT_ID =
  /^(?:\.\.\/\.\.\/|(?:(?!\.)[^\\/:*?"<>|\p{Cc}]{1,64}\/){0,8})(?!\.)[^\\/:*?"<>|\p{Cc}]{1,128}$/u;
