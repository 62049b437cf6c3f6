import { BM25_SESSION } from './collection-shape.ts';
import { anyOf, is, TEXT_TYPES } from './filters.ts';
import { type SessionState, sharedKey } from './session-state.ts';
import { toSparseVector } from './sparse.ts';
import { sharedFields, toStoredSession } from './stored-payload.ts';
import type { Filter, UpdateOperation } from './types.ts';
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
): UpdateOperation[] {
  return state === null
    ? [
        removeLeftovers(counted),
        ...shareFields(counted, null),
        insertSession(counted, average, hasConditions),
      ]
    : [
        ...removeDeleted(counted),
        ...shareFields(counted, state),
        ...replaceVector(counted, average, state, hasConditions),
        changeSession(counted, average, state),
      ];
}

/** Points of a session that was never committed, or deleted by halves. */
function removeLeftovers({ change }: CountedChange): UpdateOperation {
  const kept = change.upserts.map(({ point }) => point.id);
  const filter: Filter = {
    must: [is('session_id', change.session.payload.session_id), anyOf('type', TEXT_TYPES)],
    ...(kept.length > 0 && { must_not: [{ has_id: kept }] }),
  };
  return { delete: { filter } };
}

function insertSession(
  { change, session }: CountedChange,
  average: number,
  hasConditions: boolean,
): UpdateOperation {
  const { id, payload } = change.session;
  const lexical = session === null ? null : { lexical_length: session.length, lexical_average: average };
  const hasVector = session !== null && session.length > 0;
  const point = {
    id,
    vector: hasVector ? { [BM25_SESSION]: toSparseVector(session, average) } : {},
    payload: { ...toStoredSession(payload, session === null, lexical) },
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
): UpdateOperation {
  const lexical = session === null ? null : { lexical_length: session.length, lexical_average: average };
  const {
    tags: _,
    session_tags: __,
    ...payload
  } = toStoredSession(change.session.payload, session === null, lexical);
  const must = [{ has_id: [change.session.id] }, is('content_hash', state.content_hash)];
  return { set_payload: { payload, filter: { must } } };
}
