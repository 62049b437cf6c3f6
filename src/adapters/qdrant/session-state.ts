import type { SessionPayload } from '../../domain/point.ts';
import { pointId } from '../../domain/point-id.ts';
import type { Connection } from './connection.ts';
import { RECORD_ID, readRecord, recordOf, type StoreRecord } from './store-record.ts';
import type { LexicalFields, SharedFields, StoredSession } from './stored-payload.ts';

/** What a write must know of a session as it is stored. */
export interface SessionState {
  content_hash: string;
  stale_tokens: boolean;
  lexical: LexicalFields | null;
  /** As JSON, to compare. */
  shared: string;
}

const FIELDS = [
  'session_id',
  'content_hash',
  'stale_tokens',
  'lexical_length',
  'lexical_average',
  'agent',
  'machine',
  'repo_id',
  'repo_key',
  'repo_name',
  'repo_name_folded',
  'session_branch',
  'session_tags',
  'session_markers',
  'session_started_ms',
  'session_ended_ms',
];
const RECORD_FIELDS = [
  'type',
  'store_id',
  'schema_version',
  'model',
  'chunking',
  'session_average',
  'chunk_average',
];

/** The store's record and the states of sessions, in one request. */
export async function readStates(
  connection: Connection,
  sessionIds: string[],
): Promise<{ record: StoreRecord; states: Map<string, SessionState> }> {
  const ids = [RECORD_ID, ...sessionIds.map((id) => pointId(id, 'session'))];
  const points = await connection.retrieve(ids, [...FIELDS, ...RECORD_FIELDS]);
  const states = new Map<string, SessionState>();
  for (const { id, payload } of points) {
    if (id === RECORD_ID || !payload) continue;
    // Written by `write` with this very type.
    const stored = payload as unknown as StoredSession;
    states.set(stored.session_id, stateOf(stored));
  }
  return { record: recordOf(points) ?? (await readRecord(connection)), states };
}

/** content_hash of sessions, by id. */
export async function readSessionHashes(
  connection: Connection,
  sessionIds: string[],
): Promise<Map<string, string>> {
  const points = await connection.retrieve(
    sessionIds.map((id) => pointId(id, 'session')),
    ['session_id', 'content_hash'],
  );
  return new Map(points.map(({ payload }) => [String(payload?.session_id), String(payload?.content_hash)]));
}

/** Shared fields as text, whatever their order. */
export function sharedKey(shared: SharedFields): string {
  return JSON.stringify([
    shared.agent,
    shared.machine,
    shared.repo_id,
    shared.repo_key,
    shared.repo_name,
    shared.session_branch,
    shared.session_tags.map((tag) => tag.toWellFormed()),
    shared.session_markers,
    shared.session_started_ms,
    shared.session_ended_ms,
  ]);
}

function stateOf(stored: Pick<StoredSession, keyof StoredSession> & SessionPayload): SessionState {
  const { lexical_length, lexical_average } = stored;
  const hasLexical = lexical_length !== undefined && lexical_average !== undefined;
  return {
    content_hash: stored.content_hash,
    stale_tokens: stored.stale_tokens,
    lexical: hasLexical ? { lexical_length, lexical_average } : null,
    shared: sharedKey(stored),
  };
}
