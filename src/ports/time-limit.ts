/**
 * Interrupts work that takes too long, whatever the cause.
 *
 * - The time of all calls counts together. Time between them, such as waiting for a write, does not.
 * - Throws SmartForkError TRANSCRIPT_UNREADABLE when the time is over: during the work, or before it starts.
 * - What was interrupted is left as it is, without its `finally`: give it work that only reads.
 */
export interface TimeLimit {
  run<T>(work: () => T): T;
  isOver(): boolean;
}

export type StartTimeLimit = (ms: number) => TimeLimit;
