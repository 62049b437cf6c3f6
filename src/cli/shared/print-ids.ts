import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Full session ids, one per line; nothing if there are none. */
export function printIds(sessions: { session_id: string }[], terminal: Terminal): void {
  for (const { session_id } of sessions) terminal.out(sanitizeLine(session_id));
}
