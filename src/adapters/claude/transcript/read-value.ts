export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string as it is, anything else as an empty one; lone surrogates are replaced, no store takes them. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value.toWellFormed() : '';
}

/** A line's time as ISO 8601 UTC with milliseconds, or null. */
export function timestamp(line: Record<string, unknown>): string | null {
  const value = line.timestamp;
  if (typeof value !== 'string') return null;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return value;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
