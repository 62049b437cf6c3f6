import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import type { TextPayload } from '../../../domain/point/point.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import type { Filter, Schemas } from '../types.ts';

type Condition =
  | Schemas['FieldCondition']
  | Schemas['IsEmptyCondition']
  | Schemas['HasIdCondition']
  | Schemas['HasVectorCondition']
  | Filter;

/** In embedding order. */
export const TEXT_TYPES: string[] = ['intent', 'chunk', 'idea', 'span'] satisfies TextPayload['type'][];

/** A filter before it is sent. */
export interface Conditions {
  must: Condition[];
  must_not: Condition[];
}

/**
 * The conditions of a session filter, on the fields shared by all points of a session; null if nothing can match.
 * Ignores `file` and `commit`: see resolve-lists.ts.
 */
export function sessionConditions(filter: SessionFilter): Conditions | null {
  const must: Condition[] = [];
  const must_not: Condition[] = [];
  if (filter.repo) {
    const any = repoConditions(filter.repo);
    if (any.length === 0) return null;
    must.push({ should: any });
  }
  if (filter.sessionIds) {
    if (filter.sessionIds.length === 0) return null;
    must.push(anyOf('session_id', filter.sessionIds));
  }
  if (filter.excludeSessionIds?.length) must_not.push(anyOf('session_id', filter.excludeSessionIds));
  if (filter.agent) must.push(is('agent', filter.agent));
  if (filter.machine) must.push(is('machine', filter.machine));
  if (filter.branch) must.push(is('session_branch', filter.branch));
  for (const tag of [filter.tag ?? [], filter.marks ?? []].flat()) must.push(is('session_tags', tag));
  if (filter.marker) must.push(is('session_markers', filter.marker));
  if (filter.lang) must.push(is('session_languages', filter.lang));
  if (filter.hasCode) must_not.push({ is_empty: { key: 'session_languages' } });
  if (filter.since) must.push(range('session_ended_ms', { gt: 0, gte: timeOf(filter.since) }));
  if (filter.until) must.push(range('session_started_ms', { lte: timeOf(filter.until) }));
  if (filter.asOf) must.push(range('session_started_ms', { lte: timeOf(filter.asOf) }));
  return { must, must_not };
}

/** The conditions of a filter for ideas and spans, except those on their sessions; null if nothing can match. */
export function memoryConditions({ kinds, open, entities, since, until }: MemoryFilter): Condition[] | null {
  if (kinds?.length === 0 || entities?.length === 0) return null;
  return [
    ...(kinds ? [anyOf('kind', kinds)] : []),
    ...(open === undefined ? [] : [is('is_open', open)]),
    ...(entities ? [anyOf('entities', entities)] : []),
    ...(since ? [range('ended_ms', { gt: 0, gte: timeOf(since) })] : []),
    ...(until ? [range('ended_ms', { gt: 0, lte: timeOf(until) })] : []),
  ];
}

export function withTypes({ must, must_not }: Conditions, types: string[], ...more: Condition[]): Filter {
  const [only] = types;
  const type = types.length === 1 && only !== undefined ? is('type', only) : anyOf('type', types);
  return { must: [type, ...must, ...more], must_not: must_not.length > 0 ? must_not : undefined };
}

export function is(key: string, value: string | boolean | number): Schemas['FieldCondition'] {
  return { key, match: { value } };
}

export function anyOf(key: string, values: string[]): Schemas['FieldCondition'] {
  return { key, match: { any: [...new Set(values)] } };
}

export function range(key: string, limits: Schemas['Range']): Schemas['FieldCondition'] {
  return { key, range: limits };
}

/** Milliseconds since 1970; 0 for an invalid time. */
export function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

function repoConditions(repo: NonNullable<SessionFilter['repo']>): Condition[] {
  const properties = [
    ['repo_id', repo.repo_id],
    ['repo_key', repo.repo_key],
    ['repo_name_folded', repo.repo_name],
  ] as const;
  return properties.flatMap(([key, value]) =>
    typeof value === 'string' ? [is(key, value.toLowerCase())] : [],
  );
}
