import type { SessionRecord } from '../session/session.ts';
import { plural } from '../text/time-text.ts';

/** The number of a session's messages, as text; empty if they were not counted. */
export function messagesText({
  message_count,
  outcome,
}: Pick<SessionRecord, 'message_count' | 'outcome'>): string {
  return message_count === 0 && outcome !== 'empty' ? '' : plural(message_count, 'message');
}
