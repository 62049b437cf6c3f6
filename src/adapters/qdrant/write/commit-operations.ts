import { pointId } from '../../../domain/point/point-id.ts';
import type { ArchiveCommit } from '../../../ports/remote-store.ts';
import { BM25_SESSION } from '../schema/collection-shape.ts';
import { anyOf, is, TEXT_TYPES } from '../schema/filters.ts';
import { toSparseVector } from '../schema/sparse.ts';
import { PART, sharedFields, toStoredSession } from '../schema/stored-payload.ts';
import type { Filter, UpdateOperation } from '../types.ts';
import { manifestFields } from './archive-points.ts';
import { type CountedChange, idOf } from './count-change.ts';
import { type SessionState, sharedKey } from './session-state.ts';

/**
 * The operations that complete the change of a session once its texts are stored, with the session's point last. They apply only
 * to the expected state: if another machine commits in between, the last operation does nothing.
 */
export function commitOperations(
  counted: CountedChange,
  state: SessionState | null,
  transcript: ArchiveCommit | null,
): UpdateOperation[] {
  return state === null
    ? [
        removeLeftovers(counted, transcript),
        ...updateSharedFields(counted, null),
        insertSession(counted, transcript),
      ]
    : [
        ...removeDeleted(counted),
        ...updateSharedFields(counted, state),
        ...replaceVector(counted, state),
        changeSession(counted, state, transcript),
      ];
}

/** Commits only a transcript, if its session is still in the given state. */
export function commitTranscript(transcript: ArchiveCommit, contentHash: string): UpdateOperation {
  const must = [{ has_id: [pointId(transcript.sessionId, 'session')] }, is('content_hash', contentHash)];
  return { set_payload: { payload: manifestFields(transcript), filter: { must } } };
}

/** Removes points of a session that was never committed or only partly deleted. */
function removeLeftovers({ change }: CountedChange, transcript: ArchiveCommit | null): UpdateOperation {
  const current = [...change.upserts.map(({ point }) => point.id), ...(transcript?.named ?? [])];
  const types = transcript === null ? TEXT_TYPES : [...TEXT_TYPES, PART];
  const filter: Filter = {
    must: [is('session_id', idOf(change)), anyOf('type', types)],
    must_not: current.length > 0 ? [{ has_id: current }] : undefined,
  };
  return { delete: { filter } };
}

function insertSession(
  { change, session }: CountedChange,
  transcript: ArchiveCommit | null,
): UpdateOperation {
  const { id, payload } = change.session;
  const hasVector = session !== null && session.length > 0;
  const point = {
    id,
    vector: hasVector ? { [BM25_SESSION]: toSparseVector(session, 'session') } : {},
    payload: {
      ...toStoredSession(payload),
      ...(transcript === null ? {} : manifestFields(transcript)),
    },
  };
  // Does not overwrite another state: the first of two machines wins.
  const update_filter = { must: [is('content_hash', payload.content_hash)] };
  return { upsert: { points: [point], update_filter } };
}

function removeDeleted({ change }: CountedChange): UpdateOperation[] {
  const written = new Set(change.upserts.map(({ point }) => point.id));
  const points = change.deletes.filter((id) => !written.has(id));
  return points.length === 0 ? [] : [{ delete: { points } }];
}

/** Updates the points that are not rewritten, including those of an earlier attempt. */
function updateSharedFields({ change }: CountedChange, state: SessionState | null): UpdateOperation[] {
  const shared = sharedFields(change.session.payload);
  if (sharedKey(shared) === state?.shared) return [];
  const filter = { must: [is('session_id', idOf(change)), anyOf('type', TEXT_TYPES)] };
  const { session_tags: _, ...payload } = shared;
  return [{ set_payload: { payload, filter } }];
}

function replaceVector({ change, session }: CountedChange, state: SessionState): UpdateOperation[] {
  if (session === null) return [];
  const { id } = change.session;
  if (session.length === 0) return [{ delete_vectors: { points: [id], vector: [BM25_SESSION] } }];
  const update_filter = { must: [is('content_hash', state.content_hash)] };
  const points = [{ id, vector: { [BM25_SESSION]: toSparseVector(session, 'session') } }];
  return [{ update_vectors: { points, update_filter } }];
}

/**
 * Changes only the payload: an upsert would drop the vector. Leaves out the tags, which another process may be changing right now.
 */
function changeSession(
  { change }: CountedChange,
  state: SessionState,
  transcript: ArchiveCommit | null,
): UpdateOperation {
  const { tags: _, session_tags: __, ...record } = toStoredSession(change.session.payload);
  const payload = { ...record, ...(transcript === null ? {} : manifestFields(transcript)) };
  const must = [{ has_id: [change.session.id] }, is('content_hash', state.content_hash)];
  return { set_payload: { payload, filter: { must } } };
}
