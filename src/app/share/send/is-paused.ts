import { isPast } from '../../../domain/machine/is-past.ts';
import type { OutboxPause } from '../../../ports/outbox.ts';

/** Longest pause that a server may ask for. */
const LONGEST_MS = 24 * 3_600_000;

export function isPaused(pause: OutboxPause | null, now: number): boolean {
  return pause !== null && !isPast(pause.until, now, LONGEST_MS);
}
