import type { DamageNotes } from '../../../domain/damage.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Hit } from '../../../domain/search/search.ts';
import { DamagedRecordError, isUnreadable } from '../database/damaged-record.ts';
import type { Row } from '../database/open-database.ts';
import { pointIdOf } from './stored-ids.ts';

/** A text column. If it is missing, the database is damaged. */
export function textOf(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw new DamagedRecordError(`it has no text in column ${column}`);
}

export function numberOf(row: Row | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Reads a row with its session's id and end, a score, and its own id unless it is a session. */
export function hitOf(row: Row): Hit {
  return {
    session_id: textOf(row, 'session_id'),
    point_id: row.id instanceof Uint8Array ? pointIdOf(row) : '',
    score: numberOf(row, 'score'),
    ended_at: textOrNull(row.ended_at),
  };
}

/** Reads rows, each with its `session_id`. Those that cannot be read are left out and noted. */
export function readIntact<T>(rows: Row[], damage: DamageNotes, read: (row: Row) => T): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      damage.note(row.session_id);
      return [];
    }
  });
}

/** A session's JSON in SQL, where `json_each` would fail on a damaged one. */
export const SESSION_JSON = "iif(json_valid(s.payload), s.payload, '{}')";

/** Payloads were written by `write` with these types, so they are not validated again. */
export function sessionOf(row: Row): SessionPayload {
  return JSON.parse(textOf(row, 'payload')) as SessionPayload;
}
