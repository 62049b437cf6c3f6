import { SmartForkError } from '../../../domain/errors.ts';
import type { ChunkPayload, IntentPayload, SessionPayload } from '../../../domain/point/point.ts';
import type { Row } from '../database/open-database.ts';

/** A text column. If it is missing, the database is broken. */
export function textOf(row: Row | undefined, column: string): string {
  const value = row?.[column];
  if (typeof value === 'string') return value;
  throw new SmartForkError('STORE_UNAVAILABLE', `the store has no text in column ${column}`, {
    hint: 'Run smart-fork reindex to rebuild it.',
  });
}

export function numberOf(row: Row | undefined, column: string): number {
  const value = row?.[column];
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0;
}

/** When the row's session ended. */
export function timeOf(row: Row): string | null {
  return typeof row.ended_at === 'string' ? row.ended_at : null;
}

/** `write` wrote payloads of these very types: no need to validate them again. */
export function sessionOf(row: Row): SessionPayload {
  return JSON.parse(textOf(row, 'payload')) as SessionPayload;
}

export function textPointOf(row: Row): IntentPayload | ChunkPayload {
  return JSON.parse(textOf(row, 'payload')) as IntentPayload | ChunkPayload;
}
