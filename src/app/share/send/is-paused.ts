import { isPast } from '../../../domain/machine/is-past.ts';
import type { OutboxPause } from '../../../ports/outbox.ts';

/** A server may ask for it. */
const LONGEST_MS = 24 * 3_600_000;

/** Whether nothing is sent at the moment. */
export function isPaused(pause: OutboxPause | null, now: number): boolean {
  return pause !== null && !isPast(pause.until, now, LONGEST_MS);
}
