/** Whether a deadline has passed. A deadline beyond the longest wait counts as past: it was written before the clock was set back. */
export function isPast(time: number, now: number, longestMs: number): boolean {
  return time <= now || time - now > longestMs;
}
