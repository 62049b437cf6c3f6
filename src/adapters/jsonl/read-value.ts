import { isRecord } from '../../domain/is-record.ts';

/** Readers for values from JSON.parse: each returns the value as the wanted type, or null. */

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Unambiguous: JSON has no undefined.
    return undefined;
  }
}

export function asRecord(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

/** Lone surrogates are replaced: no store accepts them. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value.toWellFormed() : null;
}

/** A session id, safe to print; null for any other text. */
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

/** A time in milliseconds since 1970 as ISO 8601. */
export function isoTime(value: unknown): string | null {
  const time = asNumber(value);
  return time === null || Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString();
}

/** The list, or an empty one. */
export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A whole number of zero or more; zero for anything else. */
export function asCount(value: unknown): number {
  return Math.max(0, Math.trunc(asNumber(value) ?? 0));
}
