import { join } from 'node:path';
import { SESSIONS } from './find-transcripts.ts';

/**
 * Where Codex keeps a session of this id. Folder and name hold the time the session began, and so does the id, a UUID of
 * version 7. Codex finds a session by the id in the name, so UTC serves as well as local time.
 */
export function restorePath(home: string, sessionId: string): string {
  const start = startOf(sessionId) ?? new Date(0);
  const time = start.toISOString().slice(0, 19).replaceAll(':', '-');
  return join(dayFolder(home, start), `rollout-${time}-${sessionId}.jsonl`);
}

export function dayFolder(home: string, day: Date): string {
  return join(home, SESSIONS, ...day.toISOString().slice(0, 10).split('-'));
}

/** When a session began; null for an id that holds no time. */
export function startOf(sessionId: string): Date | null {
  const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(sessionId);
  return version7 === null ? null : new Date(Number.parseInt(`${version7[1]}${version7[2]}`, 16));
}
