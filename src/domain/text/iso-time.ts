/** A time as `2026-05-01T09:00:00.000Z`, so that times compare as texts; what is no time stays as it is. */
export function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
