import { join } from 'node:path';
import { SESSIONS } from './find-transcripts.ts';

/**
 * Where Codex keeps a session of this id. Folder and name hold the time the session began, which its id tells
 * (a UUID of version 7); Codex finds a session by the id in the name, so UTC serves as well as local time.
 */
export function restorePath(home: string, sessionId: string): string {
  const [date = '', time = ''] = startOf(sessionId).toISOString().slice(0, 19).split('T');
  const name = `rollout-${date}T${time.replaceAll(':', '-')}-${sessionId}.jsonl`;
  return join(home, SESSIONS, ...date.split('-'), name);
}

/** 1970 for an id that tells no time. */
function startOf(sessionId: string): Date {
  const version7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(sessionId);
  return new Date(version7 ? Number.parseInt(`${version7[1]}${version7[2]}`, 16) : 0);
}
