import { pointId } from '../../../domain/point/point-id.ts';
import type { ArchiveCommit } from '../../../ports/remote-store.ts';
import { BM25_SESSION } from '../schema/collection-shape.ts';
import { anyOf, is, TEXT_TYPES } from '../schema/filters.ts';
import { toSparseVector } from '../schema/sparse.ts';
import { sharedFields, toStoredSession } from '../schema/stored-payload.ts';
import type { Filter, UpdateOperation } from '../types.ts';
import { manifestFields, PART } from './archive-points.ts';
import { type SessionState, sharedKey } from './session-state.ts';
import type { CountedChange } from './write-sessions.ts';

/**
 * What makes the change of a session complete once its texts are there, the session point last. Only from the state that
 * was expected: another machine's commit in between makes the last operation do nothing.
 */
export function commitOperations(
  counted: CountedChange,
  state: SessionState | null,
  average: number,
  hasConditions: boolean,
  transcript: ArchiveCommit | null,
): UpdateOperation[] {
  return state === null
    ? [
        removeLeftovers(counted, transcript),
        ...shareFields(counted, null),
        insertSession(counted, average, hasConditions, transcript),
      ]
    : [
        ...removeDeleted(counted),
        ...shareFields(counted, state),
        ...replaceVector(counted, average, state, hasConditions),
        changeSession(counted, average, state, transcript),
      ];
}

/** A transcript alone; only while the session is still the one that it is of. */
export function commitTranscript(transcript: ArchiveCommit, contentHash: string): UpdateOperation {
  const must = [{ has_id: [pointId(transcript.sessionId, 'session')] }, is('content_hash', contentHash)];
  return { set_payload: { payload: manifestFields(transcript), filter: { must } } };
}

/** Points of a session that was never committed, or deleted by halves. */
function removeLeftovers({ change }: CountedChange, transcript: ArchiveCommit | null): UpdateOperation {
  const kept = [...change.upserts.map(({ point }) => point.id), ...(transcript?.named ?? [])];
  const types = transcript === null ? TEXT_TYPES : [...TEXT_TYPES, PART];
  const filter: Filter = {
    must: [is('session_id', change.session.payload.session_id), anyOf('type', types)],
    ...(kept.length > 0 && { must_not: [{ has_id: kept }] }),
  };
  return { delete: { filter } };
}

function insertSession(
  { change, session }: CountedChange,
  average: number,
  hasConditions: boolean,
  transcript: ArchiveCommit | null,
): UpdateOperation {
  const { id, payload } = change.session;
  const lexical = session === null ? null : { lexical_length: session.length, lexical_average: average };
  const hasVector = session !== null && session.length > 0;
  const point = {
    id,
    vector: hasVector ? { [BM25_SESSION]: toSparseVector(session, average) } : {},
    payload: {
      ...toStoredSession(payload, session === null, lexical),
      ...(transcript !== null && manifestFields(transcript)),
    },
  };
  // Points that are there and do not match are left alone: the first of two machines wins.
  const update_filter = { must: [is('content_hash', payload.content_hash)] };
  return { upsert: { points: [point], ...(hasConditions && { update_filter }) } };
}

function removeDeleted({ change }: CountedChange): UpdateOperation[] {
  const written = new Set(change.upserts.map(({ point }) => point.id));
  const points = change.deletes.filter((id) => !written.has(id));
  return points.length === 0 ? [] : [{ delete: { points } }];
}

/** Brings what the session lends to its points up to date on those that are not written anew, an earlier try's too. */
function shareFields({ change }: CountedChange, state: SessionState | null): UpdateOperation[] {
  const shared = sharedFields(change.session.payload);
  if (sharedKey(shared) === state?.shared) return [];
  const filter = { must: [is('session_id', change.session.payload.session_id), anyOf('type', TEXT_TYPES)] };
  const { session_tags: _, ...payload } = shared;
  return [{ set_payload: { payload, filter } }];
}

function replaceVector(
  { change, session }: CountedChange,
  average: number,
  state: SessionState,
  hasConditions: boolean,
): UpdateOperation[] {
  if (session === null) return [];
  const { id } = change.session;
  if (session.length === 0) return [{ delete_vectors: { points: [id], vector: [BM25_SESSION] } }];
  const update_filter = { must: [is('content_hash', state.content_hash)] };
  const points = [{ id, vector: { [BM25_SESSION]: toSparseVector(session, average) } }];
  return [{ update_vectors: { points, ...(hasConditions && { update_filter }) } }];
}

/**
 * Changing the payload alone keeps the vector, which an upsert would drop; the tags, which someone may be changing right
 * now, stay what they are.
 */
function changeSession(
  { change, session }: CountedChange,
  average: number,
  state: SessionState,
  transcript: ArchiveCommit | null,
): UpdateOperation {
  const lexical = session === null ? null : { lexical_length: session.length, lexical_average: average };
  const {
    tags: _,
    session_tags: __,
    ...record
  } = toStoredSession(change.session.payload, session === null, lexical);
  const payload = { ...record, ...(transcript !== null && manifestFields(transcript)) };
  const must = [{ has_id: [change.session.id] }, is('content_hash', state.content_hash)];
  return { set_payload: { payload, filter: { must } } };
}
