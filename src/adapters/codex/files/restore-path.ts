import { join } from 'node:path';
import { SESSIONS } from './list-transcripts.ts';

/**
 * Where Codex would store a session with this id. Folder and name contain the time at which the session began, which is also in the id,
 * a version 7 UUID. Codex finds a session by the id in the name, so UTC is as good as local time.
 */
export function restorePath(home: string, sessionId: string): string {
  const start = startOf(sessionId) ?? new Date(0);
  const time = start.toISOString().slice(0, 19).replaceAll(':', '-');
  return join(dayFolder(home, start), `rollout-${time}-${sessionId}.jsonl`);
}

export function dayFolder(home: string, day: Date): string {
  return join(home, SESSIONS, ...day.toISOString().slice(0, 10).split('-'));
}

/** When a session began; null for an id without a time. */
export function startOf(sessionId: string): Date | null {
  const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(sessionId);
  return version7 === null ? null : new Date(Number.parseInt(`${version7[1]}${version7[2]}`, 16));
}
