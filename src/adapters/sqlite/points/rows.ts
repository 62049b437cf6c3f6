import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Hit } from '../../../domain/search/search.ts';
import { DamagedRecordError } from '../database/damaged-record.ts';
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

/** Payloads were written by `write` with these types, so they are not validated again. */
export function sessionOf(row: Row): SessionPayload {
  return JSON.parse(textOf(row, 'payload')) as SessionPayload;
}
