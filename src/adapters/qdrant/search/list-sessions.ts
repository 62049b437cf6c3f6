import { badCursor } from '../../../domain/bad-cursor.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import type { FacetRow, SessionPage, StoreCounts } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import { collect, scrollAll } from '../http/scroll.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { resolveFile } from '../schema/files.ts';
import { type Conditions, is, range, sessionConditions, TEXT_TYPES, withTypes } from '../schema/filters.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import { sessionOf } from './read-sessions.ts';

const PAGE = 256;

/** What points weigh on the server, about; it does not say. Text, lexical vector and index; dense vectors weigh 5 bytes a dimension. */
const BYTES = { session: 30_000, chunk: 6_000, intent: 2_000 };

interface Place {
  ended: number;
  id: string;
}

/**
 * Sessions, newest first, then by id. The server orders by time alone, so the sessions of the time that a page ends in are
 * fetched together and put in order here. The cursor is the place of the last one: its end and its id.
 */
export async function listSessions(
  connection: Connection,
  filter: SessionFilter,
  limit: number,
  cursor?: string,
): Promise<SessionPage> {
  const conditions = await conditionsOf(connection, filter);
  if (conditions === null) return { sessions: [], cursor: null };
  const after = cursor === undefined ? null : placeOf(cursor);
  const ties = after === null ? [] : await endingAt(connection, conditions, after.ended);
  const rest = after === null ? ties : ties.filter((session) => session.session_id < after.id);
  const found = [...rest.sort(byPlace)];
  if (found.length <= limit) {
    found.push(
      ...(await endingBefore(connection, conditions, after?.ended ?? null, limit + 1 - found.length)),
    );
  }
  const sessions = found.slice(0, limit);
  const last = sessions.at(-1);
  return {
    sessions,
    cursor: found.length > limit && last !== undefined ? `${endOf(last)}|${last.session_id}` : null,
  };
}

export async function countPoints(
  connection: Connection,
  filter: SessionFilter,
  dimensions: number,
): Promise<StoreCounts> {
  const conditions = await conditionsOf(connection, filter);
  if (conditions === null) return { sessions: 0, chunks: 0, intents: 0, vectors: 0, bytes: 0 };
  const [types, vectors] = await Promise.all([
    connection.facet('type', withTypes(conditions, ['session', ...TEXT_TYPES])),
    connection.count(withTypes(conditions, TEXT_TYPES, { has_vector: DENSE })),
  ]);
  const of = (type: string) => types.find(({ value }) => value === type)?.count ?? 0;
  const [sessions, chunks, intents] = [of('session'), of('chunk'), of('intent')];
  const bytes =
    sessions * BYTES.session + chunks * BYTES.chunk + intents * BYTES.intent + vectors * dimensions * 5;
  return { sessions, chunks, intents, vectors, bytes };
}

const FACETS = {
  repo_name: 'repo_name',
  month: 'month',
  agent: 'agent',
  machine: 'machine',
  branch: 'session_branch',
  tag: 'session_tags',
} as const;

/** How many sessions have each value, most first; months in order of time. */
export async function facet(
  connection: Connection,
  field: keyof typeof FACETS,
  filter: SessionFilter,
): Promise<FacetRow[]> {
  const conditions = await conditionsOf(connection, filter);
  if (conditions === null) return [];
  const rows = (await connection.facet(FACETS[field], withTypes(conditions, ['session']))).filter(
    ({ count }) => count > 0,
  );
  const byValue = (a: FacetRow, b: FacetRow) => (a.value < b.value ? -1 : 1);
  return rows.sort((a, b) => (field === 'month' ? byValue(a, b) : b.count - a.count || byValue(a, b)));
}

/** The conditions of a filter, its file too. */
export async function conditionsOf(
  connection: Connection,
  filter: SessionFilter,
): Promise<Conditions | null> {
  return sessionConditions(await resolveFile(connection, filter));
}

async function endingAt(
  connection: Connection,
  conditions: Conditions,
  ended: number,
): Promise<SessionPayload[]> {
  const filter = withTypes(conditions, ['session'], is('session_ended_ms', ended));
  return (await collect(scrollAll(connection, filter, WITHOUT_EXTRAS, { page: PAGE }))).map(sessionOf);
}

async function endingBefore(
  connection: Connection,
  conditions: Conditions,
  before: number | null,
  limit: number,
): Promise<SessionPayload[]> {
  const earlier = before === null ? [] : [range('session_ended_ms', { lt: before })];
  const { points } = await connection.scroll({
    filter: withTypes(conditions, ['session'], ...earlier),
    order_by: { key: 'session_ended_ms', direction: 'desc' },
    limit,
    with_payload: WITHOUT_EXTRAS,
  });
  const found = points.map(sessionOf).sort(byPlace);
  const last = found.at(-1);
  if (found.length < limit || last === undefined) return found;
  const ended = endOf(last);
  const ties = await endingAt(connection, conditions, ended);
  return [...found.filter((session) => endOf(session) !== ended), ...ties.sort(byPlace)].slice(0, limit);
}

function byPlace(a: SessionPayload, b: SessionPayload): number {
  return endOf(b) - endOf(a) || (a.session_id < b.session_id ? 1 : -1);
}

/** As it is stored in `session_ended_ms`. */
function endOf(session: SessionPayload): number {
  const time = session.ended_at === null ? Number.NaN : Date.parse(session.ended_at);
  return Number.isNaN(time) ? 0 : time;
}

function placeOf(cursor: string): Place {
  const [, ended, id] = /^(-?\d+)\|(.+)$/s.exec(cursor) ?? [];
  if (id === undefined) throw badCursor(cursor);
  return { ended: Number(ended), id };
}
