/** Normalizes a time to `2026-05-01T09:00:00.000Z`, so that times sort as strings. Leaves other text unchanged. */
export function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}
