import { join } from 'node:path';
import { SESSIONS } from './list-transcripts.ts';

/**
 * Where Codex stored a session, or would store one with this id. Folder and name contain the time at which the session began, which is
 * also in the id, a version 7 UUID. Codex finds a session by the id in the name, so UTC is as good as local time.
 * @param former where it was, maybe on another machine
 */
export function restorePath(home: string, sessionId: string, former = ''): string {
  const [, began = '', id] = ROLLOUT.exec(former) ?? [];
  if (id === sessionId)
    return join(home, SESSIONS, ...began.slice(0, 10).split('-'), `rollout-${began}-${id}.jsonl`);
  const start = startOf(sessionId) ?? new Date(0);
  const time = start.toISOString().slice(0, 19).replaceAll(':', '-');
  return join(dayFolder(home, start), `rollout-${time}-${sessionId}.jsonl`);
}

const ROLLOUT = /rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f-]{36})\.jsonl(?:\.zst)?$/;

function dayFolder(home: string, day: Date): string {
  return join(home, SESSIONS, ...day.toISOString().slice(0, 10).split('-'));
}

/** When a session began; null for an id without a time. */
export function startOf(sessionId: string): Date | null {
  const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(sessionId);
  return version7 === null ? null : new Date(Number.parseInt(`${version7[1]}${version7[2]}`, 16));
}
