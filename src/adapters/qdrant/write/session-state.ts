import { pointId } from '../../../domain/point/point-id.ts';
import type { ArchivePoint } from '../../../ports/remote-store.ts';
import { recordFrom } from '../collection/read-record.ts';
import { tombstonedIn, tombstoneId } from '../collection/tombstones.ts';
import type { Connection } from '../http/connection.ts';
import { RECORD_FIELDS, RECORD_ID, type StoreRecord } from '../schema/store-record.ts';
import { MANIFEST, SHARED_FIELDS, type SharedFields, type StoredSession } from '../schema/stored-payload.ts';
import { manifestIn } from './archive-points.ts';

/** The part of a stored session that a write needs. */
export interface SessionState {
  content_hash: string;
  tags: string[];
  /** The shared fields except tags, as JSON, for comparing. */
  shared: string;
}

/** Tags have their own writers; the folded name follows from the name. */
const COMPARED = SHARED_FIELDS.filter((field) => field !== 'session_tags' && field !== 'repo_name_folded');

export interface Before {
  record: StoreRecord;
  states: Map<string, SessionState>;
  /** content_hash of texts, by the ids of their points. */
  texts: Map<string, string>;
  forgotten: Set<string>;
  /** Manifests of transcripts by session id, if requested. */
  manifests: Map<string, ArchivePoint>;
}

/** The store's record, the states of sessions, the hashes of texts and the manifests of transcripts, in one request. */
export async function readBefore(
  connection: Connection,
  sessionIds: string[],
  textIds: string[],
  manifestsToo: boolean,
): Promise<Before> {
  const ids = [RECORD_ID, ...sessionPoints(sessionIds), ...textIds];
  const fields = [
    'session_id',
    'content_hash',
    ...SHARED_FIELDS,
    ...RECORD_FIELDS,
    ...(manifestsToo ? [MANIFEST] : []),
  ];
  const points = await connection.first((reads) => reads.retrieve(ids, fields));
  const states = new Map<string, SessionState>();
  const texts = new Map<string, string>();
  for (const { id, payload } of points) {
    if (payload?.type === 'session') {
      // Only compared: the write replaces values of wrong types.
      const stored = payload as unknown as StoredSession;
      states.set(String(stored.session_id), stateOf(stored));
    } else if (typeof payload?.content_hash === 'string') texts.set(String(id), payload.content_hash);
  }
  const record = await recordFrom(connection, points);
  const manifests = new Map(
    points.flatMap((point) => manifestIn(point) ?? []).map((one) => [one.sessionId, one]),
  );
  return { record, states, texts, forgotten: tombstonedIn(points), manifests };
}

export interface After {
  /** content_hash and the stored manifest, by session id. */
  states: Map<string, { hash: string; manifest: string | null }>;
  forgotten: Set<string>;
}

export async function readAfter(
  connection: Connection,
  sessionIds: string[],
  manifestsToo: boolean,
): Promise<After> {
  const fields = ['type', 'session_id', 'content_hash', ...(manifestsToo ? [MANIFEST] : [])];
  const points = await connection.retrieve(sessionPoints(sessionIds), fields);
  const states = new Map(
    points.flatMap(({ payload }) => {
      if (payload?.type !== 'session') return [];
      const { session_id, content_hash, [MANIFEST]: manifest } = payload;
      const state = { hash: String(content_hash), manifest: typeof manifest === 'string' ? manifest : null };
      return [[String(session_id), state] as const];
    }),
  );
  return { states, forgotten: tombstonedIn(points) };
}

/** Ids of the points of sessions and of their tombstones. */
function sessionPoints(sessionIds: string[]): string[] {
  return sessionIds.flatMap((id) => [pointId(id, 'session'), tombstoneId(id)]);
}

/** Shared fields as text, independent of their order. */
export function sharedKey(shared: SharedFields): string {
  return JSON.stringify(COMPARED.map((field) => shared[field]));
}

function stateOf(stored: StoredSession): SessionState {
  return {
    content_hash: String(stored.content_hash),
    tags: Array.isArray(stored.session_tags)
      ? stored.session_tags.filter((tag) => typeof tag === 'string')
      : [],
    shared: sharedKey(stored),
  };
}
