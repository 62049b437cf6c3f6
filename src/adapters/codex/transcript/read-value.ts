/** Readers for what came out of JSON.parse: each gives the value in the wanted type, or null. */

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON has no undefined: the caller can tell.
    return undefined;
  }
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

/** Lone surrogates are replaced: no store takes them. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

/** The id of a session, which is shown as it is; null for text that is none. */
export function asId(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.:-]{1,200}$/.test(value) ? value : null;
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** A time as ISO 8601 UTC with milliseconds. */
export function asTime(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return value;
  const time = Date.parse(value);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
