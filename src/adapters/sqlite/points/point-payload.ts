import type {
  ChunkPayload,
  MemoryPayload,
  SessionPayload,
  TextPayload,
} from '../../../domain/point/point.ts';
import { isUnreadable } from '../database/damaged-record.ts';
import type { Row } from '../database/open-database.ts';
import { packPayload, unpackPayload } from './pack-payload.ts';
import { hashOf } from './stored-ids.ts';

const OF_POINT = ['type', 'chunk_index', 'ended_at', 'content_hash'] as const;
const OF_SESSION = ['session_id', 'agent', 'machine', 'repo_id', 'repo_key', 'repo_name'] as const;

/** The columns of a point `p` and its session `s` that are needed to read a payload. */
export const PAYLOAD = [
  'p.payload',
  ...OF_POINT.map((name) => `p.${name}`),
  ...OF_SESSION.map((name) => `s.${name}`),
].join(', ');

/** A payload as stored: without the columns of its row and its session's row, which saves half of an idea, and compressed. */
export function toStored(payload: TextPayload, session: SessionPayload): Uint8Array {
  const repeated = new Set<string>([
    ...OF_POINT,
    ...OF_SESSION.filter((name) => payload[name] === session[name]),
  ]);
  if (payload.timestamp === payload.ended_at) repeated.add('timestamp');
  if (payload.markers?.length === 0) repeated.add('markers');
  const short: Record<string, unknown> = { ...payload };
  // JSON has no undefined. Copying the object without a property would take longer.
  for (const name of repeated) short[name] = undefined;
  return packPayload(JSON.stringify(short));
}

/** Payloads were written by `write` with these types, so they are not validated again. */
export function payloadOf(row: Row): TextPayload {
  const known = Object.fromEntries([...OF_POINT, ...OF_SESSION].map((name) => [name, row[name]]));
  const stored = JSON.parse(unpackPayload(row.payload)) as Partial<TextPayload>;
  const content_hash = hashOf(row);
  return { ...known, content_hash, timestamp: row.ended_at, markers: [], ...stored } as TextPayload;
}

/** For a row of type `idea` or `span`. */
export function memoryOf(row: Row): MemoryPayload {
  return payloadOf(row) as MemoryPayload;
}

/** For a row of type `chunk`. */
export function chunkOf(row: Row): ChunkPayload {
  return payloadOf(row) as ChunkPayload;
}

/** The entities of a row of any type; null if it is damaged. */
export function entitiesOf(row: Row | undefined): string[] | null {
  try {
    const { entities = [] } = JSON.parse(unpackPayload(row?.payload)) as { entities?: string[] };
    return entities;
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}
