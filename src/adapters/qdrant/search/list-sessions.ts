import { badCursor } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { type Coverage, NO_MEMORY, type SessionFilter } from '../../../domain/search/search.ts';
import type { FacetField, FacetRow, SessionPage, StoreCounts } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import { collect, scrollAll } from '../http/scroll.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { type Conditions, is, range, sessionConditions, TEXT_TYPES, withTypes } from '../schema/filters.ts';
import { resolveLists } from '../schema/resolve-lists.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import { sessionsOf } from './read-sessions.ts';

const PAGE = 256;

/** Estimated bytes of text, lexical vector and index, because the server reports no sizes. A dense vector takes 5 bytes per dimension. */
const BYTES = { session: 30_000, chunk: 6_000, intent: 2_000, memory: 2_000 };

interface Place {
  ended: number;
  id: string;
}

/**
 * Newest first, then by id. The server sorts only by time, so sessions that ended at the same time as the last one of a page
 * are fetched together and sorted here. The cursor holds the last session's end and id.
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
  { dimensions, exact }: { dimensions: number; exact: boolean },
): Promise<StoreCounts> {
  const conditions = await conditionsOf(connection, filter);
  const coverage = conditions === null ? NOTHING : await askCoverage(connection, { conditions, exact });
  const { sessions, chunks, intents, waiting, memory } = coverage;
  const memories = memory.ideas + memory.spans;
  const left = waiting.chunks + waiting.intents + memory.waiting;
  const vectors = Math.max(0, chunks + intents + memories - left);
  const texts = chunks * BYTES.chunk + intents * BYTES.intent + memories * BYTES.memory;
  const bytes = sessions * BYTES.session + texts + vectors * dimensions * 5;
  return { ...coverage, vectors, bytes };
}

const NOTHING: Coverage = {
  sessions: 0,
  chunks: 0,
  intents: 0,
  waiting: { intents: 0, chunks: 0 },
  memory: NO_MEMORY,
};

interface CoverageRequest {
  conditions?: Conditions;
  exact?: boolean;
  /** False: the points without a vector are not counted, and reported as none. */
  waiting?: boolean;
}

/** Without conditions, the server only looks up how many points have each type. It checks every point for a vector. */
export async function askCoverage(
  asking: Pick<Connection, 'facet'>,
  { conditions = { must: [], must_not: [] }, exact = false, waiting = true }: CoverageRequest = {},
): Promise<Coverage> {
  const isAll = conditions.must.length + conditions.must_not.length === 0;
  const withoutVector = { ...conditions, must_not: [...conditions.must_not, { has_vector: DENSE }] };
  const [all, without] = await Promise.all([
    asking.facet('type', isAll ? undefined : withTypes(conditions, ['session', ...TEXT_TYPES]), exact),
    waiting ? asking.facet('type', withTypes(withoutVector, TEXT_TYPES), exact) : [],
  ]);
  const of = (rows: typeof all, type: string) => rows.find(({ value }) => value === type)?.count ?? 0;
  return {
    sessions: of(all, 'session'),
    chunks: of(all, 'chunk'),
    intents: of(all, 'intent'),
    waiting: { intents: of(without, 'intent'), chunks: of(without, 'chunk') },
    memory: {
      ideas: of(all, 'idea'),
      spans: of(all, 'span'),
      waiting: of(without, 'idea') + of(without, 'span'),
    },
  };
}

const FACETS = {
  repo_name: 'repo_name',
  month: 'month',
  agent: 'agent',
  machine: 'machine',
  branch: 'session_branch',
  tag: 'session_tags',
  kind: 'kind',
  entity: 'entities',
} as const satisfies Record<FacetField, string>;

export async function facet(
  connection: Connection,
  field: FacetField,
  filter: SessionFilter,
): Promise<FacetRow[]> {
  const conditions = await conditionsOf(connection, filter);
  if (conditions === null) return [];
  const counted = field === 'kind' || field === 'entity' ? 'idea' : 'session';
  const rows = (await connection.facet(FACETS[field], withTypes(conditions, [counted]))).filter(
    ({ count }) => count > 0,
  );
  const byValue = (a: FacetRow, b: FacetRow) => (a.value < b.value ? -1 : 1);
  return rows.sort((a, b) => (field === 'month' ? byValue(a, b) : b.count - a.count || byValue(a, b)));
}

/** The conditions of a filter, including its file and commit. */
export async function conditionsOf(
  connection: Connection,
  filter: SessionFilter,
): Promise<Conditions | null> {
  return sessionConditions(await resolveLists(connection, filter));
}

async function endingAt(
  connection: Connection,
  conditions: Conditions,
  ended: number,
): Promise<SessionPayload[]> {
  const filter = withTypes(conditions, ['session'], is('session_ended_ms', ended));
  return sessionsOf(connection, await collect(scrollAll(connection, filter, WITHOUT_EXTRAS, { page: PAGE })));
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
  const found = sessionsOf(connection, points).sort(byPlace);
  const last = found.at(-1);
  if (points.length < limit || last === undefined) return found;
  const ended = endOf(last);
  const ties = await endingAt(connection, conditions, ended);
  return [...found.filter((session) => endOf(session) !== ended), ...ties.sort(byPlace)].slice(0, limit);
}

function byPlace(a: SessionPayload, b: SessionPayload): number {
  return endOf(b) - endOf(a) || (a.session_id < b.session_id ? 1 : -1);
}

/** The same value as `session_ended_ms`. */
function endOf(session: SessionPayload): number {
  const time = session.ended_at === null ? Number.NaN : Date.parse(session.ended_at);
  return Number.isNaN(time) ? 0 : time;
}

function placeOf(cursor: string): Place {
  const [, ended, id] = /^(-?\d+)\|(.+)$/s.exec(cursor) ?? [];
  if (id === undefined) throw badCursor(cursor);
  return { ended: Number(ended), id };
}
