/** Why a transcript is indexed: an agent's hook ran, or the worker noticed a change (`changed`). */
export const JOB_EVENTS = ['stop', 'subagent-stop', 'session-start', 'session-end', 'changed'] as const;
export type JobEvent = (typeof JOB_EVENTS)[number];

/** A request to index a transcript; without a path and a session, whatever has changed. */
export interface Job {
  event: JobEvent;
  transcriptPath: string | null;
  sessionId: string | null;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * The file name of a queued job: one per transcript, so that a second job replaces the first. It begins with the
 * transcript's name, for readability, and ends with a hash of its full path.
 */
export function jobName({ transcriptPath, sessionId }: Pick<Job, 'transcriptPath' | 'sessionId'>): string {
  const key = transcriptPath ?? sessionId;
  if (key === null) return 'look';
  const base = key.slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf('\\')) + 1).replace(/\.jsonl$/, '');
  return `${base.replace(/[^\w-]/g, '_').slice(0, 80)}-${hashText(key)}`;
}

/** cyrb53 (public domain), 53 bits: loading OpenSSL for this would make a hook 10 % slower. */
function hashText(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(16).padStart(14, '0');
}
