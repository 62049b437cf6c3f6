import { statSync } from 'node:fs';
import type { DamageNotes } from '../../../domain/damage.ts';
import { badCursor } from '../../../domain/errors.ts';
import type { Coverage, SessionFilter } from '../../../domain/search/search.ts';
import type {
  DamagedSession,
  FacetField,
  FacetRow,
  SessionPage,
  StoreCounts,
} from '../../../ports/point-store.ts';
import type { Database } from '../database/open-database.ts';
import { numberOf, readIntact, SESSION_JSON, sessionOf, textOf, textOrNull } from './rows.ts';
import { type Condition, sessionCondition } from './session-filter.ts';

/** Newest first. The cursor contains the last session's end and id. */
export function listSessions(
  database: Database,
  damage: DamageNotes,
  filter: SessionFilter,
  limit: number,
  cursor?: string,
): SessionPage {
  const condition = sessionCondition(filter);
  const after = cursor === undefined ? null : placeOf(cursor);
  const where = [condition?.sql, after && "(coalesce(s.ended_at, ''), s.session_id) < (?, ?)"].filter(
    Boolean,
  );
  const rows = database
    .prepare(
      `SELECT s.session_id, s.ended_at, s.payload FROM sessions s ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}
        ORDER BY coalesce(s.ended_at, '') DESC, s.session_id DESC LIMIT ?`,
    )
    .all(...(condition?.params ?? []), ...(after ?? []), limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: readIntact(page, damage, sessionOf),
    cursor:
      rows.length > limit && last !== undefined
        ? `${last.ended_at ?? ''}|${textOf(last, 'session_id')}`
        : null,
  };
}

/** See DamageReader. */
export function listDamaged(database: Database, filter: SessionFilter): DamagedSession[] {
  const condition = sessionCondition(filter);
  return database
    .prepare(
      `SELECT s.session_id, s.repo_id, s.repo_key, s.repo_name, s.ended_at FROM sessions s
        WHERE (typeof(s.payload) <> 'text' OR NOT json_valid(s.payload)) ${condition === null ? '' : `AND ${condition.sql}`}`,
    )
    .all(...(condition?.params ?? []))
    .map((row) => ({
      session_id: textOf(row, 'session_id'),
      repo_id: textOrNull(row.repo_id) ?? '',
      repo_key: textOrNull(row.repo_key),
      repo_name: textOrNull(row.repo_name) ?? '',
      ended_at: textOrNull(row.ended_at),
    }));
}

function placeOf(cursor: string): [string, string] {
  const [, ended, id] = /^(|\d{4}-[^|]*)\|(.+)$/s.exec(cursor) ?? [];
  if (ended === undefined || id === undefined) throw badCursor(cursor);
  return [ended, id];
}

/** @param whole the coverage of the whole store, which takes time for every point unless it is remembered. */
export function countPoints(
  database: Database,
  path: string,
  filter: SessionFilter,
  whole: () => Coverage,
): StoreCounts {
  const condition = sessionCondition(filter);
  const coverage = condition === null ? whole() : coverageOf(database, condition);
  const { chunks, intents, waiting, memory } = coverage;
  const texts = chunks + intents + memory.ideas + memory.spans;
  const files = [path, `${path}-wal`];
  return {
    ...coverage,
    vectors: texts - waiting.chunks - waiting.intents - memory.waiting,
    bytes: files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
  };
}

export function coverageOf(database: Database, condition: Condition | null): Coverage {
  const where = condition === null ? '' : `WHERE ${condition.sql}`;
  const join = condition === null ? '' : 'JOIN sessions s ON s.rowid = p.session';
  const params = condition?.params ?? [];
  const sessions = database.prepare(`SELECT count(*) AS n FROM sessions s ${where}`).get(...params);
  const points = database
    .prepare(
      `SELECT p.type, count(*) AS n, sum(p.has_vector = 0) AS waiting FROM points p ${join} ${where} GROUP BY p.type`,
    )
    .all(...params);
  const of = (type: string) => points.find((row) => row.type === type);
  return {
    sessions: numberOf(sessions, 'n'),
    chunks: numberOf(of('chunk'), 'n'),
    intents: numberOf(of('intent'), 'n'),
    waiting: { intents: numberOf(of('intent'), 'waiting'), chunks: numberOf(of('chunk'), 'waiting') },
    memory: {
      ideas: numberOf(of('idea'), 'n'),
      spans: numberOf(of('span'), 'n'),
      waiting: numberOf(of('idea'), 'waiting') + numberOf(of('span'), 'waiting'),
    },
  };
}

const FACETS = {
  repo_name: 's.repo_name',
  month: 'substr(s.ended_at, 1, 7)',
  agent: 's.agent',
  machine: 's.machine',
  branch: 's.branch',
  tag: 't.value',
  kind: 'p.kind',
  entity: 'e.name',
} as const satisfies Record<FacetField, string>;

const FACETED: Partial<Record<FacetField, string>> = {
  tag: `sessions s, json_each(${SESSION_JSON}, '$.tags') t`,
  kind: "sessions s JOIN points p ON p.session = s.rowid AND p.type = 'idea'",
  entity:
    "sessions s JOIN points p ON p.session = s.rowid AND p.type = 'idea' JOIN entities e ON e.point = p.rowid",
};

export function facet(database: Database, field: FacetField, filter: SessionFilter): FacetRow[] {
  const condition = sessionCondition(filter);
  const column = FACETS[field];
  const from = FACETED[field] ?? 'sessions s';
  return database
    .prepare(
      `SELECT ${column} AS value, count(*) AS n FROM ${from}
        WHERE ${column} IS NOT NULL ${condition === null ? '' : `AND ${condition.sql}`}
        GROUP BY ${column} ORDER BY ${field === 'month' ? 'value' : 'n DESC, value'}`,
    )
    .all(...(condition?.params ?? []))
    .map((row) => ({ value: textOf(row, 'value'), count: numberOf(row, 'n') }));
}
