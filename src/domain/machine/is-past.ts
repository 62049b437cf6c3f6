/** Whether the time to wait for has come. One that is farther off than the longest wait was written before the clock was set back. */
export function isPast(time: number, now: number, longestMs: number): boolean {
  return time <= now || time - now > longestMs;
}
