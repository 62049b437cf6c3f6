/** Why a transcript is to be looked at: one of the agents' hooks, or `changed` when it was noticed otherwise. */
export const JOB_EVENTS = ['stop', 'subagent-stop', 'session-start', 'session-end', 'changed'] as const;
export type JobEvent = (typeof JOB_EVENTS)[number];

/** "Look at this transcript." Without a path and a session it says: look for whatever has changed. */
export interface Job {
  event: JobEvent;
  transcriptPath: string | null;
  sessionId: string | null;
  /** ISO 8601 UTC. */
  at: string;
}

/**
 * The name under which a job waits: one for each transcript, so that a second job for it takes the place of the first.
 * Begins with what a person recognises and ends with a hash of the whole path.
 */
export function jobName({ transcriptPath, sessionId }: Pick<Job, 'transcriptPath' | 'sessionId'>): string {
  const key = transcriptPath ?? sessionId;
  if (key === null) return 'look';
  const base = key.slice(Math.max(key.lastIndexOf('/'), key.lastIndexOf('\\')) + 1).replace(/\.jsonl$/, '');
  return `${base.replace(/[^\w-]/g, '_').slice(0, 80)}-${hashText(key)}`;
}

/** 53 bits, by the public-domain function cyrb53: a hook that loads OpenSSL for this is a tenth slower. */
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
